// Loaded into the suite's process before the suite, which knows no tokens: every request to the hub carries ours, and
// nothing else of it is touched, so that the hub sees Host and Origin as the suite has sent them.
import { subscribe } from 'node:diagnostics_channel'

const { PLEXUS_CONFORMANCE_URL: url, PLEXUS_CONFORMANCE_TOKEN: token } = process.env
const authorization = `Bearer ${token}`
// The suite sends by fetch, and by node:http where fetch would set headers right.
subscribe('undici:request:create', ({ request }) => {
  if (String(request.origin) === url) request.addHeader('authorization', authorization)
})
subscribe('http.client.request.created', ({ request }) => {
  if (`http://${request.getHeader('host')}` === url) request.setHeader('authorization', authorization)
})
