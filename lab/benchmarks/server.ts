/*
 * Measures the server beside a bare Hono handler that streams the same bytes: CPU time per event, memory per
 * open stream, and whether memory stays flat and nothing is lost. Each server is a process of its own, and
 * its CPU time is read there, so that the client and the machine's other work do not count.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { open, post, read, repeat } from './server/load.ts'
import type { Asked, Told } from './server/protocol.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    streams: { type: 'string', default: '200' },
    words: { type: 'string', default: '500' },
    json: { type: 'boolean', default: false },
  },
})
const RUNS = Number(values.runs)
const STREAMS = Number(values.streams)
/** Goals, as ratios to the bare server. */
const MOST_TIME = 2
const MOST_MEMORY = 3
/** Growth from the first quarter of the runs to the last that counts as flat. */
const FLAT = 1.2

class Server {
  readonly #child: ChildProcess
  constructor(kind: string) {
    this.#child = fork(new URL('server/server-process.ts', import.meta.url), [kind, values.words], {
      execArgv: ['--expose-gc', '--conditions=echelon-source'],
    })
  }
  async told(asked?: Asked): Promise<Told> {
    const answer = once(this.#child, 'message')
    if (asked !== undefined) this.#child.send(asked)
    const [told]: Told[] = await answer
    if (told === undefined) throw new Error('the server tells nothing')
    return told
  }
  stop(): void {
    this.#child.disconnect()
  }
}

interface Measured {
  readonly cpuUsPerEvent: number
  readonly wallUsPerEvent: number
  readonly bytesPerStream: number
  readonly events: number
  readonly growth: number
}

const start = (url: string, agent: string): Promise<string> =>
  post(`${url}/runs`, { agent, input: 'Go' })

/** @param waiting the address of a stream that stays open */
async function measure(
  server: Server,
  frames: number,
  waiting: (url: string) => Promise<string>,
): Promise<Measured> {
  const { url } = await server.told({})
  let lost = 0
  const one = async (): Promise<void> => {
    const id = await start(url, 'talks')
    const got = await read(`${url}/runs/${id}/events`)
    lost += Math.abs(frames - got.frames)
  }
  await repeat(STREAMS, STREAMS, one)
  const quarter = Math.ceil(RUNS / 4)
  const before = await server.told({})
  const began = performance.now()
  await repeat(quarter, STREAMS, one)
  const early = await server.told({})
  await repeat(RUNS - quarter, STREAMS, one)
  const wallMs = performance.now() - began
  const after = await server.told({})
  if (lost > 0) throw new Error(`${lost} events were lost or came twice`)
  const events = RUNS * frames
  const address = await waiting(url)
  const close = await open(address)
  const idle = await server.told({})
  const closing = await Promise.all(Array.from({ length: STREAMS }, () => open(address)))
  const full = await server.told({})
  for (const end of [close, ...closing]) end()
  return {
    cpuUsPerEvent: ((after.cpuMs - before.cpuMs) * 1000) / events,
    wallUsPerEvent: (wallMs * 1000) / events,
    bytesPerStream: (full.held - idle.held) / STREAMS,
    events,
    growth: after.held / early.held,
  }
}

const ours = new Server('echelon')
const { url } = await ours.told()
const first = await read(`${url}/runs/${await start(url, 'talks')}/events`, 'GET', '', true)
const frames = first.text
  .split('\n\n')
  .slice(0, -1)
  .map((frame) => `${frame}\n\n`)
const bare = new Server('bare')
await bare.told()
await bare.told({ frames })
const theirs = await measure(bare, frames.length, async (at) => `${at}/wait/x/events`)
bare.stop()
const own = await measure(
  ours,
  frames.length,
  async (at) => `${at}/runs/${await start(at, 'waits')}/events`,
)
ours.stop()

const time = own.cpuUsPerEvent / theirs.cpuUsPerEvent
const memory = own.bytesPerStream / theirs.bytesPerStream
const verdicts = [
  { what: 'CPU time per event', ratio: time, most: MOST_TIME },
  { what: 'memory per open stream', ratio: memory, most: MOST_MEMORY },
  { what: 'memory after all runs', ratio: own.growth, most: FLAT },
]
if (values.json) console.log(JSON.stringify({ own, theirs, verdicts }))
else {
  const row = (name: string, { cpuUsPerEvent, wallUsPerEvent, bytesPerStream, growth }: Measured) =>
    `${name.padEnd(10)} ${cpuUsPerEvent.toFixed(1).padStart(12)} ${wallUsPerEvent.toFixed(1).padStart(12)} ${(bytesPerStream / 1024).toFixed(1).padStart(12)} ${growth.toFixed(2).padStart(10)}`
  console.log(
    `${RUNS} runs of ${frames.length} events, ${STREAMS} streams at once; nothing was lost\n`,
  )
  console.log(
    `${''.padEnd(10)} ${'CPU µs/event'.padStart(12)} ${'µs/event'.padStart(12)} ${'KB/stream'.padStart(12)} ${'growth'.padStart(10)}`,
  )
  console.log(row('echelon', own))
  console.log(row('bare Hono', theirs))
  console.log()
  for (const { what, ratio, most } of verdicts) {
    console.log(
      `${ratio <= most ? 'holds' : 'FAILS'}: ${what} ${ratio.toFixed(2)} x, at most ${most} x`,
    )
  }
}
if (verdicts.some(({ ratio, most }) => ratio > most)) process.exitCode = 1
