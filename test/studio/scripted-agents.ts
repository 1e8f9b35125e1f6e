import { createAgent, defineTool } from 'echelon'
import { cascade } from 'echelon/middleware'
import type { Judgment, Verifier } from 'echelon/verify'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { serveChat, type ServedAgent } from '@echelon/server'
import type { openStore } from '@echelon/store'
import { z } from 'zod'

type Store = Awaited<ReturnType<typeof openStore>>
type Model = ReturnType<typeof scriptedModel>
type Call = Parameters<Model['doGenerate']>[0]

/** A text with HTML in it that would run if it were taken for HTML. */
export const HOSTILE =
  'Look: <img src="x" onerror="window.hacked = true"><script>window.hacked = true</script><b>bold</b>'

const long = (pieces: number): readonly string[] =>
  Array.from({ length: pieces }, (_, index) => `word ${index} `)

const tool = (name: string, input: object = {}): ScriptedAnswer => ({
  toolCalls: [{ tool: name, input: JSON.parse(JSON.stringify(input)) }],
})

/** The model's answers to a question, one for each of its calls. The last one repeats. */
const SCRIPTS: Readonly<Record<string, readonly ScriptedAnswer[]>> = {
  'Write HTML': [HOSTILE],
  'Write much': [{ text: long(5000), betweenMs: 0 }],
  'Work long': [...Array.from({ length: 400 }, () => tool('look', { where: HOSTILE })), 'Done.'],
  'Wait for me': [tool('wait_here'), 'It went on.'],
  'Pay 40 dollars': [tool('pay', { dollars: 40 }), 'It is paid.'],
  'Ask me first': [tool('send'), 'It is sent.'],
  'Look at': [tool('look', { where: 'there' }), 'Looked.'],
  'Tell slowly': [{ text: long(60), betweenMs: 25 }],
}

/** The small model of the agent `capitals` is not sure of one. */
const SURE_OF_MOST: typeof SCRIPTS = {
  France: ['Perhaps Paris?'],
  Japan: ['It is surely Tokyo.'],
  Italy: ['It is surely Rome.'],
  Peru: ['It is surely Lima.'],
}

const HOW = { type: 'string', enum: ['by post', 'by car'], title: 'How is it sent?' }

/** Each call is answered from the script of its question, so runs do not disturb each other. */
function answering(scripts: typeof SCRIPTS): Model {
  const answer = (call: Call): Model => {
    // A cascade adds a message of its own behind the question when it promotes a task.
    const last = call.prompt.findLastIndex(
      (message) =>
        message.role === 'user' &&
        Object.keys(scripts).some((question) => JSON.stringify(message).includes(question)),
    )
    const text = JSON.stringify(call.prompt[last] ?? '')
    const found = Object.entries(scripts).find(([question]) => text.includes(question))
    const script = found?.[1] ?? ['I have no script for this.']
    const said = call.prompt
      .slice(Math.max(last, 0))
      .filter(({ role }) => role === 'assistant').length
    return scriptedModel([script[Math.min(said, script.length - 1)] ?? ''])
  }
  return {
    ...scriptedModel([]),
    doGenerate: (call) => answer(call).doGenerate(call),
    doStream: (call) => answer(call).doStream(call),
  }
}

/** Lets the tool `wait_here` go on, which waits for it. */
export interface Gate {
  open(): void
}

function gated(): { readonly gate: Gate; readonly passed: () => Promise<void> } {
  let turn = Promise.withResolvers<void>()
  return {
    gate: {
      open() {
        turn.resolve()
        turn = Promise.withResolvers<void>()
      },
    },
    passed: () => turn.promise,
  }
}

interface Usage {
  readonly input: number
  readonly output: number
}

const price = ({ input, output }: Usage): number => (input + 4 * output) / 1_000_000
const bigPrice = (usage: Usage): number => 20 * price(usage)

/** The server's estimate of the cost of the same call with another model. */
export const scriptedPrice = async (model: string, usage: Usage): Promise<number | null> =>
  model === 'test/big' ? bigPrice(usage) : model.startsWith('offline/') ? 0 : null

/** Scores an answer by how sure it sounds. */
const sureness: Verifier = {
  name: 'sureness',
  features: [],
  verify({ answer }): Judgment {
    const score = JSON.stringify(answer).includes('surely') ? 0.98 : 0.31
    return { verdict: 'scored', score, features: {}, reason: 'two drafts were compared' }
  },
}

/** Agents on scripted models with prices, for what the offline models cannot show. */
export function scriptedAgents(store: Store): {
  readonly agents: readonly ServedAgent[]
  readonly gate: Gate
} {
  const { gate, passed } = gated()
  const tools = [
    defineTool({
      name: 'wait_here',
      description: 'Waits until the test goes on.',
      input: z.strictObject({}),
      does: 'reads',
      run: async () => {
        await passed()
        return 'waited'
      },
    }),
    defineTool({
      name: 'look',
      description: 'Looks somewhere.',
      input: z.strictObject({ where: z.string() }),
      does: 'reads',
      run: ({ where }) => ({ seen: where }),
    }),
    defineTool({
      name: 'send',
      description: 'Sends a parcel, and asks how.',
      input: z.strictObject({}),
      does: 'reads',
      run: async (_, { ask }) => ({ sent: (await ask?.('How is it sent?', HOW)) ?? null }),
    }),
    defineTool({
      name: 'pay',
      description: 'Pays money.',
      input: z.strictObject({ dollars: z.number() }),
      does: 'acts',
      needsApproval: true,
      run: ({ dollars }) => ({ paid: dollars }),
    }),
  ]
  const scripted = createAgent({
    name: 'clerk',
    model: asBound(answering(SCRIPTS), 'test/model', price),
    tools,
    store,
    maxIterations: 500,
    limits: { money: 1 },
  })
  const small = asBound(answering(SURE_OF_MOST), 'test/small', price)
  const big = asBound(answering({ capital: ['It is surely Paris.'] }), 'test/big', bigPrice)
  const capitals = createAgent({
    name: 'capitals',
    model: small,
    store,
    use: [cascade([small, big], { verify: sureness, accept: 0.8 })],
  })
  return {
    gate,
    agents: [
      serveChat(scripted, {
        description: 'Looks things up, writes, and pays.',
        models: ['test/model'],
        tools,
      }),
      serveChat(capitals, {
        description: 'Asks a small model first, and a big one where it is not sure.',
        models: ['test/small', 'test/big'],
      }),
    ],
  }
}
