import { isErrno } from '../base/errno.ts'

/** Says which limit of the system was reached and how to raise it; undefined for an error of another kind. */
export function systemLimitMessage(error: unknown): string | undefined {
  return LIMITS.find(({ code }) => isErrno(error, code))?.sentence
}

const LIMITS = [
  {
    code: 'EMFILE',
    sentence:
      'The hub may open no more files (EMFILE); raise its limit with ulimit -n before it is started, or run fewer sessions at once.',
  },
  {
    code: 'ENFILE',
    sentence: 'This machine may open no more files (ENFILE); raise fs.file-max, or run fewer programs.',
  },
  {
    code: 'EAGAIN',
    sentence:
      'This user may start no more processes (EAGAIN); raise the limit with ulimit -u, or run fewer sessions at once.',
  },
  {
    code: 'ENOMEM',
    sentence: 'This machine has no memory left for another process (ENOMEM); run fewer sessions at once.',
  },
] as const
