import { request } from 'node:http'
import { ONLOOKER } from './hub-address.ts'

/** Whether a hub answers on its socket in time. The health check needs no token, and an onlooker keeps no hub alive. */
export function hubAnswers(socketPath: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { socketPath, path: '/healthz', headers: { [ONLOOKER]: '1' }, timeout: timeoutMs }
    const call = request(options, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    call.on('error', () => resolve(false))
    call.on('timeout', () => call.destroy())
    call.end()
  })
}

/** What a person can do about a process that has the home folder and is stuck, or was stopped. */
export function silentHubSentence(pid: number): string {
  return `The hub (pid ${pid}) does not answer. kill -9 ${pid} ends it; its sessions and questions stay for the next hub (plexus serve).`
}
