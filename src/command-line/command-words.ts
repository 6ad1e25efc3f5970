import { AppError } from '../base/errors.ts'

/** How a person at a terminal says what the engine's sentences say in the words of its callers. */
const WORDS: readonly (readonly [of: RegExp, here: string])[] = [
  [/list the sessions to see which there are/, 'plexus ls lists them'],
  [/list the pending ones/, 'plexus pending lists those that are open'],
  [/list its grants to see which there are/, 'plexus grants ls lists them'],
  [/read the question again/, 'plexus show prints it'],
  [/read its tree/, 'plexus tree prints it'],
  [/nodeId does not apply/, '--at does not apply'],
  [/stop it first, or delete it with stop/, 'plexus rm --stop ends it first'],
  [/delete those first/, 'plexus rm removes them'],
  [/send a prompt to start one/i, 'plexus say starts one'],
  [/send a prompt to continue/i, 'plexus say continues it'],
  [/Say something to continue/, 'plexus say continues it'],
  [/wait until a session ends, or stop a session/, 'plexus ls lists them, plexus stop ends one'],
  [/say the rest as a prompt of its own/, 'say the rest with plexus say'],
  [/leave out message, or say it as a prompt/, 'leave out -m, or say it with plexus say'],
  [/leave out remember or updatedInput/, 'leave out --remember, or change nothing'],
  [/use remember "session" to keep the very call/, 'use --remember session to keep this very call'],
  [/add remember, such as "session"/, 'add --remember, such as --remember session'],
  [/use remember "session"/, 'use --remember session'],
  [/leave out remember/, 'leave out --remember'],
  [/Say approve \(true or false\), or give an answer for each question/, 'Say plexus allow, deny or answer'],
  [/approve and answers contradict each other; give only one of them/, 'The answer contradicts itself'],
  [/correct content, or decline/, 'plexus deny declines it'],
  [/^content goes with/, 'Values of fields go with'],
  [/^updatedInput goes with/, 'An edited input goes with'],
  [/^permissionMode goes with/, 'A mode goes with'],
  [
    /by a form at a client with a person \(.*\), or with the operator's token at POST \/rpc/,
    'at a terminal, with plexus allow or plexus deny',
  ],
  [
    /, or have the person who set up this client start it as plexus mcp --allow-bypass/,
    ', or have a person start it',
  ],
  [/to run it, give command (\w+) instead of the text/, 'plexus say SESSION --command $1 runs it'],
  [/the status of the session shows its cost/, 'plexus show prints its cost'],
  [
    /create a session as nested, then it has its own tools to start sessions/,
    'start one with --nested, and it has tools of its own for that',
  ],
  [
    /(.) must be a full path here: the hub runs in the background, in no folder of yours/,
    '$1 must be a full path',
  ],
  [/leave out ask or answerers/, 'leave out --person'],
  [/\bworkingDirectory\b/g, '--dir'],
  [/\bpermissionMode\b/g, '--mode'],
  [/\baddDirs\b/g, '--add-dir'],
]

/** A sentence of the engine in the words of the command line. */
export function inCommandWords(sentence: string): string {
  return WORDS.reduce((text, [of, here]) => text.replace(of, here), sentence)
}

/** The same for an error; its code stays. */
export function errorInCommandWords(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const message = inCommandWords(error.message)
  if (message === error.message) return error
  return new AppError(error.code, message, {
    ...(error.data ? { data: error.data } : {}),
    cause: error,
  })
}
