/** Worker processes that are given one job after the other, and replaced when one hangs or ends. */
import { fork } from 'node:child_process'
import { join } from 'node:path'

const WORKERS = 2
const LOADING_MS = 30_000

/**
 * @template Job
 * @param {readonly Job[]} jobs
 * @param {(job: Job, answer: unknown) => void} done the answer is undefined when the worker hung or ended
 */
export async function runJobs(jobs, done) {
  const left = jobs.values()
  const take = async () => {
    let worker
    for (const job of left) {
      worker ??= await startWorker()
      const answer = await ask(worker, job)
      if (answer === undefined || answer === 'timeout') {
        worker.kill('SIGKILL')
        worker = undefined
      }
      done(job, answer)
    }
    worker?.kill('SIGKILL')
  }
  await Promise.all(Array.from({ length: WORKERS }, take))
}

async function startWorker() {
  const worker = fork(join(import.meta.dirname, 'worker.mjs'), {
    stdio: ['ignore', 'ignore', process.env.MUTANTS_DEBUG ? 'inherit' : 'ignore', 'ipc'],
    execArgv: ['--max-old-space-size=2048', '--no-warnings'],
  })
  await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('exit', (code) => reject(new Error(`A worker ended with ${code} before it was ready.`)))
  })
  return worker
}

/** The worker says before each test how long it may take at most. */
function ask(worker, job) {
  return new Promise((resolve) => {
    let timer = setTimeout(finish, LOADING_MS)
    const wait = (ms) => {
      clearTimeout(timer)
      timer = setTimeout(finish, ms)
    }
    function finish(answer) {
      clearTimeout(timer)
      worker.removeAllListeners('message')
      worker.removeAllListeners('exit')
      resolve(answer)
    }
    worker.on('message', (message) => (message?.waitMs ? wait(message.waitMs) : finish(message)))
    worker.once('exit', () => finish(undefined))
    worker.send(job, (error) => error && finish(undefined))
  })
}
