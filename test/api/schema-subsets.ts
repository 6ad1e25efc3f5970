/** The keywords that model APIs publish for what a tool takes, and what their clients do with larger ones. */

/** Strict function calling: https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas */
const OPENAI =
  'type description enum anyOf $defs $ref const properties required additionalProperties items minItems maxItems pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum'.split(
    ' ',
  )

/** `parameters` of a function declaration: https://ai.google.dev/api/caching#Schema */
const GEMINI =
  'type format title description nullable enum anyOf default example properties required propertyOrdering minProperties maxProperties items minItems maxItems minLength maxLength pattern minimum maximum'.split(
    ' ',
  )

/**
 * In both. `additionalProperties` is taken although Gemini's `parameters` do not know it: OpenAI refuses a strict tool
 * without it, and clients of Gemini remove it or use `parametersJsonSchema`, which knows it.
 */
export const IN_BOTH: ReadonlySet<string> = new Set([
  ...OPENAI.filter((keyword) => GEMINI.includes(keyword)),
  'additionalProperties',
])

/**
 * The bytes of an input schema above which Codex removes its descriptions: 4,000 at first (openai/codex pull request
 * 23904), 5,000 since pull request 31497.
 */
export const CODEX_KEEPS = 4_000
