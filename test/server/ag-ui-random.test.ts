import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type AGUIEvent, EventType, type Message, type ResumeEntry } from '@ag-ui/core'
import { asAgUi, serveChat } from '@echelon/server/ag-ui'
import { createAgent, defineTool, type Tool } from 'echelon'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import * as fc from 'fast-check'
import { IS_WHOLE } from '../share.ts'
import { AgUiOracle } from './ag-ui-oracle.ts'

const EMPTY = { type: 'object', properties: {} } as const

const TOOLS: readonly Tool[] = [
  defineTool({
    name: 'read',
    description: 'Reads.',
    input: EMPTY,
    does: 'reads',
    run: async () => ({ a: [1] }),
  }),
  defineTool({
    name: 'slow',
    description: 'Reads slowly.',
    input: EMPTY,
    does: 'reads',
    parallel: false,
    run: async (_, context) => {
      context.progress?.({ half: true })
      await new Promise((resolve) => setImmediate(resolve))
      return ''
    },
  }),
  defineTool({
    name: 'fail',
    description: 'Fails.',
    input: EMPTY,
    does: 'reads',
    run: async () => {
      throw new Error('broken')
    },
  }),
  defineTool({
    name: 'act',
    description: 'Acts.',
    input: EMPTY,
    does: 'acts',
    needsApproval: true,
    run: async () => 'acted',
  }),
  defineTool({
    name: 'ask',
    description: 'Asks.',
    input: EMPTY,
    does: 'reads',
    run: async (_, { ask }) => (await ask?.('Well?', { type: 'string' })) ?? 'nobody',
  }),
]

const clientTools = ['pick', 'show']
const CLIENT_TOOLS = clientTools.map((name) => ({
  name,
  description: name,
  parameters: EMPTY,
}))
/** `unknown` is a tool that does not exist. */
const NAMES = [...TOOLS.map(({ name }) => name), 'helper', 'pick', 'show', 'unknown']

const steps = fc.array(
  fc.record({
    text: fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
    reasoning: fc.option(fc.string({ maxLength: 5 }), { nil: '' }),
    tools: fc.array(fc.constantFrom(...NAMES), { maxLength: 4 }),
  }),
  { maxLength: 4 },
)

type Steps = readonly {
  readonly text: readonly string[]
  readonly reasoning: string
  readonly tools: readonly string[]
}[]

const scriptOf = (given: Steps): ScriptedAnswer[] =>
  given.map(({ text, reasoning, tools }) => ({
    text: tools.length === 0 ? [...text, 'end'] : text,
    ...(reasoning !== '' && { reasoning, providerMetadata: { openai: { itemId: 'r' } } }),
    toolCalls: tools.map((tool) => ({ tool, input: tool === 'helper' ? { task: 'go' } : {} })),
  }))

/** A model that says that it is done when its script is over. */
const model = (script: readonly ScriptedAnswer[]) =>
  asBound(scriptedModel(script, { beyond: 'done' }), 'test/model', () => 0.001)

const runCase = async (
  outer: Steps,
  inner: Steps,
  { knows1, choices }: { readonly knows1: boolean; readonly choices: readonly number[] },
): Promise<void> => {
  const helper = createAgent({ name: 'helper', model: model(scriptOf(inner)), tools: TOOLS })
  const tools = [...TOOLS, helper.asTool({ name: 'helper', description: 'Helps.' })]
  const agent = asAgUi(
    serveChat(createAgent({ name: 'chat', model: model(scriptOf(outer)), tools }), {
      description: 'Answers.',
    }),
  )
  const oracle = new AgUiOracle()
  const threadId = randomUUID()
  const messages: Message[] = [{ id: 'u', role: 'user', content: 'go' }]
  let resume: ResumeEntry[] | undefined
  let turn = 0
  const choose = (most: number): number => (choices[turn++ % choices.length] ?? 0) % most
  for (let streams = 0; ; streams++) {
    assert.ok(streams < 60, 'the run does not end')
    const runId = randomUUID()
    const events: AGUIEvent[] = []
    const input = {
      threadId,
      runId,
      messages,
      tools: CLIENT_TOOLS,
      context: [],
      resume,
      ...(knows1 && { protocolVersion: '1.0' }),
    }
    for await (const event of agent.run(input)) events.push(event)
    const { last, state } = oracle.check(events, { threadId, runId, knows1, clientTools })
    const pending = oracle.open(clientTools)
    resume = undefined
    if (last.type === EventType.RUN_ERROR) assert.fail(`${last.code}: ${last.message}`)
    const { outcome } = last
    const waits =
      outcome?.type === 'interrupt' || (outcome?.type === 'success' && pending.length > 0)
    assert.partialDeepStrictEqual(state, {
      echelon: {
        status: waits ? 'waiting' : outcome?.type === 'success' ? 'finished' : 'canceled',
      },
    })
    if (outcome?.type === 'interrupt') {
      const [interrupt] = outcome.interrupts
      const payload = [true, false, 'once', 'deny'][choose(4)]
      const isQuestion = interrupt?.reason === 'question'
      resume = [
        {
          interruptId: interrupt?.id ?? '',
          status: 'resolved',
          payload: isQuestion ? 'yes' : payload,
        },
      ]
      continue
    }
    if (!waits) return
    // Some of the results, or all of them.
    for (const toolCallId of pending.slice(choose(pending.length))) {
      oracle.answered(toolCallId)
      messages.push({
        id: randomUUID(),
        role: 'tool',
        toolCallId,
        content: 'ok',
        ...(choose(3) === 0 && { error: 'no' }),
      })
    }
  }
}

test('[C-1] every stream of random runs is one that a client can trust, in process', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      steps,
      fc.boolean(),
      fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
      (outer, inner, knows1, choices) => runCase(outer, inner, { knows1, choices }),
    ),
    { numRuns: IS_WHOLE ? 2000 : 60 },
  )
})
