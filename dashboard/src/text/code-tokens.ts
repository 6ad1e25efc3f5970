export interface Token {
  readonly type: 'plain' | 'comment' | 'string' | 'number' | 'keyword'
  readonly text: string
}

interface Language {
  readonly comment: string
  readonly keywords: string
}

const C_LIKE =
  'abstract async await break case catch class const continue def default defer delete do else enum export extends extern false final finally fn for func function if impl implements import in interface internal let match mod mut namespace new nil null of package private protected pub public return self static struct super switch this throw throws trait true try type typeof undefined use using val var void while with yield'
const SLASHES: Language = { comment: String.raw`\/\/.*|\/\*.*?(?:\*\/|$)`, keywords: C_LIKE }
const HASH: Language = {
  comment: '#.*',
  keywords:
    'and as assert async await break case class continue def del do done elif else end esac except export False fi finally for from function global if import in is lambda local module None nonlocal not or pass raise require return self then True try until when while with yield',
}
const DASHES: Language = {
  comment: '--.*',
  keywords:
    'select from where insert into values update set delete create table index drop alter join left right inner outer on group by order limit and or not null primary key unique',
}

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(
    'c cc cpp cs css go h hpp java js json jsonc jsx kt mjs cjs php rs scala scss swift ts tsx mts cts'
      .split(' ')
      .map((extension) => [extension, SLASHES]),
  ),
  ...Object.fromEntries(
    'bash conf dockerfile ini makefile mk pl py r rb sh toml yaml yml zsh'
      .split(' ')
      .map((extension) => [extension, HASH]),
  ),
  sql: DASHES,
  lua: DASHES,
}

const cache = new Map<Language, { readonly pattern: RegExp; readonly keywords: ReadonlySet<string> }>()

/** The language of a file by its name; undefined where colours would guess. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1)]
}

/** The pieces of one line, for colours. They are the line: joined again they give it back, whatever it holds. */
export function codeTokens(line: string, language: Language | undefined): Token[] {
  if (!language || line.length > MAX_LINE) return [{ type: 'plain', text: line }]
  const { pattern, keywords } = rulesOf(language)
  const tokens: Token[] = []
  let end = 0
  for (const match of line.matchAll(pattern)) {
    const { comment, string, number, word = '' } = match.groups ?? {}
    const type = comment
      ? 'comment'
      : string
        ? 'string'
        : number
          ? 'number'
          : keywords.has(word)
            ? 'keyword'
            : undefined
    if (type === undefined) continue
    if (match.index > end) tokens.push({ type: 'plain', text: line.slice(end, match.index) })
    tokens.push({ type, text: match[0] })
    end = match.index + match[0].length
  }
  if (end < line.length) tokens.push({ type: 'plain', text: line.slice(end) })
  return tokens
}

function rulesOf(language: Language) {
  const known = cache.get(language)
  if (known) return known
  const pattern = new RegExp(
    `(?<comment>${language.comment})|(?<string>"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)|(?<number>\\b\\d[\\d_.a-fx]*\\b)|(?<word>[A-Za-z_]\\w*)`,
    'g',
  )
  const rules = { pattern, keywords: new Set(language.keywords.split(' ')) }
  cache.set(language, rules)
  return rules
}

/** A longer line is data, not code. */
const MAX_LINE = 2_000
