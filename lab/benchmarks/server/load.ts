import { Agent, request } from 'node:http'

/** Reads a response as a client that does nothing else, so that the server is measured. */
export interface Read {
  readonly frames: number
  readonly text: string
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

export async function post(url: string, body: object): Promise<string> {
  const { text } = await read(url, 'POST', JSON.stringify(body), true)
  const { id }: { id: string } = JSON.parse(text)
  return id
}

/** @param keep whether the text is wanted, or only the number of its frames */
export function read(
  url: string,
  method: 'GET' | 'POST' = 'GET',
  body = '',
  keep = false,
): Promise<Read> {
  return new Promise((resolve, reject) => {
    const headers = body === '' ? {} : { 'content-type': 'application/json' }
    const asked = request(url, { method, agent, headers }, (response) => {
      let [frames, last, text] = [0, 0, '']
      response.on('data', (chunk: Buffer) => {
        for (const byte of chunk) {
          if (byte === NEWLINE && last === NEWLINE) frames++
          last = byte
        }
        if (keep) text += chunk.toString()
      })
      response.once('end', () => resolve({ frames, text }))
      response.once('error', reject)
    })
    asked.once('error', reject)
    asked.end(body)
  })
}

const NEWLINE = 10

/** Opens a stream and leaves it open. @returns what closes it, once its first bytes are there */
export function open(url: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: false }, (response) => {
      response.on('error', () => undefined)
      response.once('data', () => resolve(() => asked.destroy()))
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** Runs a task so many times, so many at once. */
export async function repeat(
  times: number,
  atOnce: number,
  task: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < times) await task(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
