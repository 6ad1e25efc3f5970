import { forEachChild, type Command, type Redirection, type SyntaxNode, type Word } from 'unbash'
import { isFixed } from '../../shell/lines/shell-word.ts'
import { addWords } from './add-words.ts'
import { addMentioned, type Found, NO_TEXTS } from './found-commands.ts'

/** Adds every command of a script, wherever it stands. */
export function visitAll(script: SyntaxNode, found: Found): void {
  const visit = (node: SyntaxNode): void => {
    switch (node.type) {
      case 'Word':
        addSubscript(node, found)
        if (!node.parts) return
        break
      case 'ArithmeticWord':
        if (SUBSTITUTES.test(node.value)) found.mentioned.push(unescaped(node.value))
        break
      case 'Assignment':
      case 'ParameterExpansion':
        if (node.index && SUBSTITUTES.test(node.index.text)) found.mentioned.push(unescaped(node.index.text))
        break
      case 'Transform':
        // `${x@P}` runs the substitutions in what x is.
        if (node.operand.text.includes('P')) found.whole = false
        break
      case 'Script':
        if ('errors' in node && node.errors) found.whole = false
        break
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        if (!node.script) found.whole = false
        break
      case 'Command':
        addCommand(node, found)
        break
      case 'Redirected':
        found.texts.push(...node.redirects.flatMap(textsOf))
        break
      default:
    }
    forEachChild(node, visit)
  }
  visit(script)
}

/** `[[ -v 'a[$(x)]' ]]`: the subscript of an array is evaluated wherever a variable is named, also in quotes. */
function addSubscript(word: Word, found: Found): void {
  if (!word.text.includes('[') || !SUBSCRIPT.test(word.text)) return
  const value = wordOf(word)
  if (value !== undefined) found.mentioned.push(value)
}

function unescaped(text: string): string {
  return text.replaceAll(/['"\\]/g, '')
}

function addCommand({ name, args, redirects, prefix }: Command, found: Found): void {
  for (const part of prefix) {
    if (part.type !== 'Assignment' || part.value.type !== 'Word') continue
    const value = wordOf(part.value)
    // `PAGER='rm x' git log`: before a command it may be what that runs, and alone what a later one runs.
    if (value !== undefined) addMentioned(value, found)
  }
  if (!name) return
  const words = [wordOf(name)]
  for (const arg of args) words.push(wordOf(arg))
  addWords(words, redirects.length === 0 ? NO_TEXTS : redirects.flatMap(textsOf), found)
}

/** The word as the program gets it; undefined if that is only known when it runs. */
function wordOf(arg: Command['args'][number]): string | undefined {
  if (arg.type !== 'Word') return /^[\w.,:/@%+=-]+$/.test(arg.text) ? arg.text : undefined
  const isKnown = arg.parts?.every((part) => part.type !== 'Glob' && isFixed(part)) !== false
  return isKnown ? arg.value : undefined
}

function textsOf(redirect: Redirection): string[] {
  if (redirect.type === 'HereDoc') return [redirect.body.text]
  return redirect.type === 'HereString' && redirect.target ? [redirect.target.value] : []
}

const SUBSTITUTES = /\$\(|`/
const SUBSCRIPT = /\[[^]*(?:\$\(|`)/
