import type { Words } from './run-by-others.ts'

/**
 * The commands that a text in another language may have in it: each word begins one, up to the next character that is no part
 * of a word. `system("rm x")` has `system`, `rm x` and `x`. Pure, and in linear time.
 */
export function commandsSaidIn(text: string): Words[] {
  const said: Words[] = []
  for (const part of text.split(BETWEEN)) {
    const words = part.split(/\s+/).filter((word) => word !== '')
    for (let index = 0; index < words.length; index += 1) {
      if (!/[a-z]/i.test(words[index] ?? '')) continue
      const own = words.slice(index, index + MAX_WORDS)
      said.push(index + MAX_WORDS < words.length ? [...own, undefined] : own)
    }
  }
  return said
}

/** Whether code for an interpreter could start a program that nobody can read in it, such as `system("r" "m x")`. Pure. */
export function couldRunPrograms(name: string, code: string): boolean {
  if (name.endsWith('sed')) return sedRuns(code)
  if (STARTS.test(code)) return true
  if (name.endsWith('awk')) return AWK_PIPE.test(withoutStrings(code))
  return BANG.test(name) && /[!|]/.test(code)
}

/** Beside a slash it is not certain where a string begins: a regular expression may have a quote in it. */
function withoutStrings(code: string): string {
  return code.includes('/') ? code : code.replaceAll(/"(?:\\[^]|[^"\\])*"/g, '""')
}

/** Whether a script of sed has the command `e`, or the flag `e` of `s`; a script that cannot be read counts as one. */
function sedRuns(script: string): boolean {
  let position = 0
  while (position < script.length) {
    SED_COMMAND.lastIndex = position
    const found = SED_COMMAND.exec(script)
    if (!found || found[0] === '') return true
    position += found[0].length
    const flags = found.groups?.['flags']
    if (flags?.includes('e') === true) return true
  }
  return false
}

/** Up to the character that began it: where a text ends must not be left open, or to read it takes more than linear time. */
const BODY = String.raw`(?:\\[^]|(?!\k<end>)[^\\])*`
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|[+~]\d+|/(?:\\[^]|[^\\/])*/[IM]*)`
const SED_COMMAND = new RegExp(
  String.raw`[\s;{}]*(?:${ADDRESS}(?:\s*,\s*${ADDRESS})?\s*)?(?:!\s*)?(?:` +
    [
      String.raw`[sy](?<end>[^\n\\])${BODY}\k<end>${BODY}\k<end>(?<flags>\w*)`,
      String.raw`[aic](?:\\[^]|[^\\\n])*`,
      String.raw`[:btTrRwWvq][^\n;}]*`,
      String.raw`[dDgGhHlnNpPxz=F]\d*`,
      '[{}]',
      String.raw`#[^\n]*`,
      '$',
    ].join('|') +
    String.raw`)[ \t]*(?=[\n;{}]|$)`,
  'y',
)

/** What stands between the words of a command and other code. */
const BETWEEN = /["'`(){}[\]|&;<>!=:,$\\%#^\n+@*?]+/
const MAX_WORDS = 16

/** Names by which code starts programs, or gets at such names. */
const STARTS =
  /system|exec|popen|spawn|fork|child_|processbuilder|call-process|start-process|make-process|subprocess|shell|syscmd|write18|qx\b|%x|`|\beval|importlib|__|getattr|\.modules|globalThis|\bos\b|\bpty\b|ctypes|\brun\s*\(|\bKernel\b|\bOpen3\b|\bdlopen|\.binding|mainModule|@load|\bprogram\b|\)\s*\(|require\s*\((?!\s*(["'])[^"'+]*\1\s*\))|import\s*\(/i

/** What awk prints into a program, or reads from one. */
const AWK_PIPE = /\|\s*&?\s*(?:"|getline|\(|[A-Za-z_]\w*\s*(?:[;}\n]|$))|"\s*\|/

/** Programs that run what follows a `!` or a `|`. */
const BANG =
  /^(?:r?ed|ex|g?r?vim?|vimdiff|nvim|view|dc|ipython|irb|pry|psql|mysql|mariadb|gnuplot|[ls]?ftp|mutt|mailx|gdb|lldb)$/
