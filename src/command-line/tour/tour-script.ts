import type { Block } from '../../demo/scenario.ts'
import { use } from '../../demo/scenario.ts'

/** One chapter of the tour: a prompt, what the scripted model does with it, and what is said of the answer. */
export interface TourStep {
  readonly title: string
  readonly intro: readonly string[]
  readonly prompt: string
  /** The model says this with its first call. */
  readonly text: string
  /** The calls of the model, one after the other; the last is asked about. The CLI says where it wants a plan. */
  readonly calls: readonly ((planFile: string) => Block)[]
  /** What the model says when the answer was yes; a choice is in it as `CHOICE`. */
  readonly reply: string
  /** The file that an allowed call changes, with a text that it holds afterwards. */
  readonly evidence?: { readonly file: string; readonly text: string }
  readonly allowed: string
  readonly denied: string
  readonly mode?: 'plan'
  /** The hub is killed while the question waits. */
  readonly killsHub?: true
}

/** The files of the project before the tour. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  'server.js': "const port = 3000\nrequire('node:http').createServer().listen(port)\n",
}

const NOTHING_WRITTEN = 'You denied it; nothing was written.'

const PLAN = '1. Open the database when the server starts.\n2. Store each visit.\n3. Test both.'

export const STEPS: readonly TourStep[] = [
  {
    title: 'A command',
    intro: [
      'A session wants to run a command. It stops, and asks you.',
      'The keys do the same as plexus allow demo.1 and plexus deny demo.1.',
    ],
    prompt: 'Write a greeting.',
    text: 'I will write it with a command.',
    calls: [() => use('Bash', { command: 'echo hello > greeting.txt' })],
    reply: 'The greeting is written.',
    evidence: { file: 'greeting.txt', text: 'hello' },
    allowed: 'Allowed, and it ran: greeting.txt says hello.',
    denied: NOTHING_WRITTEN,
  },
  {
    title: 'An edit',
    intro: ['You see a change before it is made.'],
    prompt: 'Let the server listen on port 8080.',
    text: 'I will read it, then change one line.',
    calls: [
      () => use('Read', { file_path: 'server.js' }),
      () =>
        use('Edit', {
          file_path: 'server.js',
          old_string: 'const port = 3000',
          new_string: 'const port = 8080',
        }),
    ],
    reply: 'It listens on port 8080 now.',
    evidence: { file: 'server.js', text: '8080' },
    allowed: 'Allowed: server.js is changed.',
    denied: NOTHING_WRITTEN,
  },
  {
    title: 'A question',
    intro: ['A session can let you choose: type a number, or words of your own, and Enter.'],
    prompt: 'Add a database.',
    text: 'That depends on you.',
    calls: [
      () =>
        use('AskUserQuestion', {
          questions: [
            {
              question: 'Which database?',
              header: 'Database',
              options: [
                { label: 'SQLite', description: 'one file, nothing to install' },
                { label: 'Postgres', description: 'a server of its own' },
              ],
              multiSelect: false,
            },
          ],
        }),
    ],
    reply: 'You chose CHOICE.',
    allowed: 'The answer reached the session.',
    denied: 'You denied it; the session got no answer.',
  },
  {
    title: 'A plan',
    intro: ['In plan mode a session only reads. It asks before it begins.'],
    prompt: 'Plan the database.',
    text: 'Here is my plan.',
    calls: [
      (planFile) => use('Write', { file_path: planFile, content: PLAN }),
      () => use('ExitPlanMode', { plan: PLAN }),
    ],
    reply: 'In a real session I would begin now, and ask about each change.',
    allowed: 'The plan is approved.',
    denied: 'You denied it; the session keeps planning, and nothing was written.',
    mode: 'plan',
  },
  {
    title: 'A crash',
    intro: ['It asks once more. This time Plexus dies before anybody answers.'],
    prompt: 'Save a copy of the server.',
    text: 'I will copy it.',
    calls: [() => use('Bash', { command: 'cp server.js copy.js' })],
    reply: 'The copy is there.',
    evidence: { file: 'copy.js', text: 'port' },
    allowed: 'Allowed, and it ran, once: copy.js is there.',
    denied: NOTHING_WRITTEN,
    killsHub: true,
  },
]

/** What is said of a step, by the state of its question and whether the evidence is there. */
export function resultOf(step: TourStep, status: string | undefined, isThere: boolean): string {
  if (status === 'allowed')
    return step.evidence && !isThere
      ? `It was allowed, but ${step.evidence.file} is not as expected.`
      : step.allowed
  if (isThere)
    return `It was not allowed, and ${step.evidence?.file} was written all the same. That is a bug of ours.`
  if (status === 'denied') return step.denied
  return 'Nobody answered in time, so it was denied; nothing was written.'
}
