/** Where an option of a command begins: `--check`, `-v`, also its beginning alone. */
const OPTION = /((?<![^\s"'`=([])-[\w-]*)/

/**
 * A text in which no line ends inside an option: `--check` is one word, which browsers break after a hyphen. What holds it
 * together is in the style sheet, so that a person who copies the text copies nothing else.
 */
export function Joined({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(OPTION)
        .map((part, at) =>
          at % 2 === 0
            ? part
            : part
                .split('-')
                .map((word, index) => (index === 0 ? word : ['-', <i key={index} class="joint" />, word])),
        )}
    </>
  )
}
