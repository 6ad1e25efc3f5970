import { OPERATIONS } from '../api/operations.ts'
import { type Operation, toolNameOf } from '../api/operation/operation.ts'
import { START_SHAPE } from '../api/operation/start-input.ts'
import { snake } from '../api/operation/snake-case.ts'
import { isVerb, VERB_INPUTS, type VerbName } from '../engine/verbs.ts'
import { ERRORS, OBJECTS } from './object-notes.ts'
import { FIELD_MEANINGS, OPERATION_NOTES } from './operation-notes.ts'
import { type FieldRow, schemaRows } from './schema-rows.ts'
import { VERB_NOTES } from './notes/verb-notes.ts'
import { linksOf, VIEWS } from './views.ts'
import { z } from 'zod'

/** The text of `docs/API.md`. */
export function apiPage(): string {
  const claude = OPERATIONS.filter(({ name }) => name.startsWith('claude_'))
  const loopback = OPERATIONS.filter(({ name }) => !name.startsWith('claude_'))
  const verbs = Object.keys(VERB_NOTES).filter(isVerb)
  return [
    INTRODUCTION,
    contents(
      'The six tools',
      claude.map(({ name }) => name),
    ),
    contents(
      'The loopback family',
      loopback.map(({ name }) => name),
    ),
    contents('The verbs', [...verbs, 'followEvents', 'followAll']),
    '## The six tools',
    'For the model of an MCP client. Each is a tool of MCP and a method of `POST /rpc` with the same name. An error is an MCP error result, or a JSON-RPC error.',
    ...claude.map(operationSection),
    '## The loopback family',
    'For programs, and for a Claude that is the parent of others. Each is a method of `POST /rpc`, and a tool of MCP with underscores instead of dots (`--tools plexus`, `/mcp?tools=plexus`). An error is a result too: `{"type":"error","code","message"}`.',
    ...loopback.map(operationSection),
    '## The verbs',
    'What the engine can do, each a method of `POST /rpc`. The two families above are translations of these verbs.',
    ...verbs.map(verbSection),
    FOLLOW_EVENTS,
    FOLLOW_ALL,
    '## Start options',
    'Fields of `claude_start` (first name) and `claudecode.create` (second name), there or in their `options`; and of `options` of `createSession`, but for `timeoutSeconds`, `answerers` and `ask`.',
    fieldsTable(startOptionRows()),
    '## Objects of the operations',
    ...Object.entries(VIEWS).map(
      ([title, schema]) =>
        `### ${title}\n\n${fieldsTable(schemaRows(schema, 'output').map(withMeaning), 'always')}`,
    ),
    '## Objects of the verbs',
    ...Object.entries(OBJECTS).map(([name, fields]) => `### ${name}\n\n${meaningsTable(fields)}`),
    '## Errors',
    'A JSON-RPC error has `message`, a sentence that says what happened and what to do, and `data.code`, one of these. `data.field` names the field, if one is wrong.',
    table(
      ['code', 'meaning'],
      Object.entries(ERRORS).map(([code, meaning]) => [`\`${code}\``, meaning]),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}

/** Every field that the page shows without saying what it means. */
export function fieldsWithoutMeaning(): string[] {
  const operations = OPERATIONS.flatMap((operation) =>
    [...inputRows(operation), ...outputRows(operation)].map((row) => ({ owner: operation.name, row })),
  )
  const verbs = Object.keys(VERB_NOTES)
    .filter(isVerb)
    .flatMap((name) => verbRows(name).map((row) => ({ owner: name, row })))
  return [...operations, ...verbs]
    .filter(({ row }) => !row.meaning)
    .map(({ owner, row }) => `${owner}: ${row.name}`)
}

function operationSection(operation: Operation): string {
  const { name, title, description } = operation
  const { example, errors, returns } = OPERATION_NOTES[name] ?? { example: {} }
  const tool = toolNameOf(operation)
  return [
    `### ${name}`,
    `${title}.${tool === name ? '' : ` As a tool of MCP: \`${tool}\`.`}`,
    description,
    `**Input**\n\n${fieldsTable(inputRows(operation))}`,
    returns === undefined
      ? `**Result**\n\n${fieldsTable(outputRows(operation), 'always')}`
      : `**Result**: ${returns}`,
    ...errorList(errors),
    exampleOf(name, example),
  ].join('\n\n')
}

function verbSection(name: VerbName): string {
  const { does, returns, errors, example } = VERB_NOTES[name]
  const returned = `**Result**: ${returns}`
  return [
    `### ${name}`,
    does,
    `**Input**\n\n${fieldsTable(verbRows(name))}`,
    returned,
    ...errorList(errors),
    exampleOf(name, example),
  ].join('\n\n')
}

function verbRows(name: VerbName): FieldRow[] {
  const { fields } = VERB_NOTES[name]
  return schemaRows(VERB_INPUTS[name], 'input', { ...linksOf(name), before: 'object', push: 'object' }).map(
    (row) => ({
      ...row,
      meaning: fields[row.name],
    }),
  )
}

function inputRows({ name, listed }: Operation): FieldRow[] {
  return schemaRows(listed, 'input', linksOf(name)).map((row) =>
    row.name === 'options' ? { ...row, meaning: 'Options that are seldom needed.' } : withMeaning(row),
  )
}

function outputRows({ name, output }: Operation): FieldRow[] {
  return output ? schemaRows(output, 'output', linksOf(name)).map(withMeaning) : []
}

function startOptionRows(): FieldRow[] {
  const shape = z.object(START_SHAPE)
  return schemaRows(shape, 'input', { agents: 'object', mcpServers: 'object', env: 'object' }).map((row) => ({
    ...withMeaning(row),
    name: row.name === snake(row.name) ? row.name : `${row.name}\` / \`${snake(row.name)}`,
  }))
}

function withMeaning(row: FieldRow): FieldRow {
  const last = row.name.split('.').at(-1) ?? row.name
  return { ...row, meaning: row.meaning ?? FIELD_MEANINGS[last] }
}

function errorList(errors: Readonly<Record<string, string>> | undefined): string[] {
  if (!errors) return []
  return [
    `**Errors**: ${Object.entries(errors)
      .map(([code, when]) => `\`${code}\` (${when})`)
      .join(', ')}.`,
  ]
}

function exampleOf(method: string, params: object): string {
  return `\`\`\`json\n${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n\`\`\``
}

function fieldsTable(rows: readonly FieldRow[], required = 'required'): string {
  if (rows.length === 0) return 'No fields.'
  return table(
    ['field', 'type', required, 'meaning'],
    rows.map(({ name, type, required: isRequired, meaning }) => [
      `\`${name}\``,
      type,
      isRequired ? 'yes' : '',
      meaning ?? '',
    ]),
  )
}

function meaningsTable(fields: Readonly<Record<string, string>>): string {
  return table(
    ['field', 'meaning'],
    Object.entries(fields).map(([name, meaning]) => [`\`${name}\``, meaning]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

function contents(title: string, names: readonly string[]): string {
  const links = names.map((name) => `[${name}](#${name.toLowerCase().replaceAll('.', '')})`)
  return `**[${title}](#${title.toLowerCase().replaceAll(' ', '-')})**: ${links.join(', ')}`
}

const INTRODUCTION = `# API

Every operation and verb of Plexus, generated from the schemas that check their input (\`npm run api-page\`). Where to send them, and with which token: [README](../README.md) and [CONFIGURATION](CONFIGURATION.md).

\`POST /rpc\` takes JSON-RPC 2.0, one request or a batch of at most 50, with \`Authorization: Bearer TOKEN\`. A session is named by its id or its name. Unknown fields are refused; \`null\` counts as omitted in the operations.`

const FOLLOW_EVENTS = `### followEvents

Follows the events of a session, past and future, as a stream of server-sent events: \`GET /events?session=ID&after=SEQ\`. The id of each event is its seq, so that \`Last-Event-ID\` resumes the stream.

**Result**: one [Event](#event) in each \`data\`.

\`\`\`
GET /events?session=greeter&after=0
\`\`\``

const FOLLOW_ALL = `### followAll

Follows the events of every session that the caller may read, as one stream of server-sent events: \`GET /events\`, from now on, or \`GET /events?after=POSITION\`. The id of each message is its position, so that \`Last-Event-ID\` resumes the stream, also at the next hub. The first message is named \`position\` if nothing has happened since; with \`missed: true\` the steps after the given position are no longer on record (the newest 100,000 are), and a reader reads the sessions themselves.

**Result**: in each \`data\` one step: \`position\`, \`sessionId\` and \`events\`, a list of [Event](#event). With \`questions=1\` a person's caller also gets \`asked\`: the questions that the step has opened and that are open still, as \`pending\` has them.

\`\`\`
GET /events
\`\`\``
