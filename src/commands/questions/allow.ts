import { readFileSync } from 'node:fs'
import { definedFields } from '../../base/defined-fields.ts'
import { AppError } from '../../base/errors.ts'
import type { ClientHub, CommandCall } from '../../command-line/command.ts'
import { openQuestions, settleQuestions } from '../../command-line/questions/settle-questions.ts'
import { askYesOrNo } from '../../command-line/terminal/ask-person.ts'
import { inputChange, inputFromJson } from '../../command-line/views/edited-input.ts'
import { questionId } from '../../command-line/views/question-views.ts'
import type { Answer } from '../../approvals/answer.ts'
import { REMEMBERS } from '../../rules/exact/grant-scopes.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { secondsIn } from '../../text/time-text.ts'

/** Nobody was answered, because the person did not want it. */
const NOT_WANTED = 1

export async function run(call: CommandCall): Promise<number> {
  const { args, flags, hub } = call
  const message = flags.text('message')
  const isChosen = flags.text('remember') === ''
  const stated = isChosen ? {} : rememberIn(flags)
  const client = await hub('changes')
  const questions = flags.isSet('all') ? await allToAllow(client, call) : await namedToAllow(client, args)
  const edited = questions && (await editedInput(call, questions))
  if (!questions || edited === 'unwanted') {
    call.out.say('Nothing was answered.')
    return NOT_WANTED
  }
  if (questions.length === 0) return 0
  const remember = isChosen ? await chosen(call, client, questions) : stated
  const answer = { approve: true, ...definedFields({ message, updatedInput: edited }), ...remember }
  await settleQuestions(client, questions, () => answer, call)
  return 0
}

/** What the person chooses to remember with the answer to one question. */
async function chosen(call: CommandCall, client: ClientHub, questions: readonly PendingQuestion[]) {
  const [question] = questions
  if (!question || questions.length > 1)
    throw new AppError('invalid_input', 'A rule is chosen for one question; name only that one.')
  const { chooseRule } = await import('../../command-line/questions/choose-rule.ts')
  return (await chooseRule(client, call, question)) ?? {}
}

function rememberIn(
  flags: CommandCall['flags'],
): Pick<Answer, 'remember' | 'rememberSeconds' | 'rememberRule'> {
  const [text, time, rule] = [flags.text('remember'), flags.text('for'), flags.text('rule')]
  if (text === undefined && time === undefined && rule === undefined) return {}
  const remember = REMEMBERS.find((option) => option === text)
  if (!remember)
    throw new AppError(
      'invalid_input',
      `${text === undefined ? '--for and --rule need --remember, which' : '--remember'} must be one of ${REMEMBERS.join(', ')}.`,
    )
  const rememberSeconds = time === undefined ? undefined : secondsIn('--for', time)
  return { remember, ...definedFields({ rememberSeconds, rememberRule: rule }) }
}

// What few calls need is loaded by them: most allow one question, and a person waits for each.
async function allToAllow(client: ClientHub, call: CommandCall) {
  const { coverAll } = await import('../../command-line/questions/cover-all.ts')
  return coverAll(client, call, { verb: 'allow', fits: ({ kind }) => kind === 'tool' || kind === 'plan' })
}

async function namedToAllow(client: ClientHub, args: readonly string[]): Promise<PendingQuestion[]> {
  if (args.length === 0) throw new AppError('invalid_input', 'Say what to allow: plexus allow ID, or --all.')
  const questions = await openQuestions(client, args)
  const choice = questions.find(({ kind }) => kind === 'question')
  if (!choice) return questions
  const id = questionId(choice)
  throw new AppError('invalid_input', `${id} asks for a choice; plexus answer ${id} "the choice" gives one.`)
}

/** What is to run in place of what was asked; undefined if that is to run as it is. */
async function editedInput(
  { flags, out, env }: CommandCall,
  questions: readonly PendingQuestion[],
): Promise<Record<string, unknown> | 'unwanted' | undefined> {
  const file = flags.text('input')
  if (file === undefined && !flags.isSet('edit')) return undefined
  const [question] = questions
  if (!question || questions.length > 1)
    throw new AppError('invalid_input', 'An input is edited for one question; name only that one.')
  if (file !== undefined) return inputInFile(question, file)
  if (!out.mayPrompt)
    throw new AppError('invalid_input', '--edit needs a terminal; --input FILE takes an edited input.')
  const { editInput } = await import('../../command-line/terminal/edit-input.ts')
  const input = await editInput(question, env)
  if (!input) return 'unwanted'
  for (const line of inputChange(question, input)) out.say(line)
  return (await askYesOrNo('Allow it so?')) ? input : 'unwanted'
}

/** For scripts: a file with JSON, or `-` for stdin. */
function inputInFile(question: PendingQuestion, file: string): Record<string, unknown> | undefined {
  let text: string
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (cause) {
    throw new AppError('invalid_input', `--input: ${file} cannot be read.`, { cause })
  }
  const edited = inputFromJson(question, text)
  if (edited.kind === 'invalid') throw new AppError('invalid_input', `--input: ${edited.problem}`)
  return edited.kind === 'input' ? edited.input : undefined
}
