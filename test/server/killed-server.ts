/** A server in a process of its own, for tests that kill it: `killed-server.ts FILE PORT STEPS`. */
import { setTimeout as wait } from 'node:timers/promises'
import { defineTool } from 'echelon'
import { createServer } from '@echelon/server'
import { openStore } from '@echelon/store'
import { z } from 'zod'
import { scripted } from './served.ts'

const [, , file = '', port = '0', steps = '1'] = process.argv
const store = await openStore(file)
const look = defineTool({
  name: 'look',
  description: 'Looks something up.',
  input: z.object({ at: z.number() }),
  async run({ at }, context) {
    for (let part = 0; part < 3; part++) {
      context.progress({ part })
      await wait(5)
    }
    return `seen ${at}`
  },
})
const words = Array.from({ length: 20 }, (_, index) => `w${index} `)
const script = Array.from({ length: Number(steps) }, (_, at) => ({
  text: words,
  betweenMs: 3,
  toolCalls: [{ tool: 'look', input: { at } }],
}))
const whole = [...script, 'Done.']
const server = createServer({ agents: [scripted(store, whole, { tools: [look] })], store })
process.send?.(await server.listen({ port: Number(port) }))
