import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { PrintSink } from '../../packages/support/src/defaults/print-sink.ts'
import { SQLiteSink } from '../../packages/support/src/defaults/sqlite-sink.ts'
import {
  PlainExecutor,
  PlainMemory,
  plainRouter,
  PlainPolicy,
  undone,
  YES,
} from '../support/kit.ts'
import { type MockAnswer, MockLLMProvider } from '../../packages/support/src/mock-llm-provider.ts'
import { MockSink } from '../../packages/support/src/mock-sink.ts'
import type { PolicyDecision } from '../../packages/support/src/primitives/policy-engine.ts'
import type { ToolResult } from '../../packages/support/src/primitives/tool-executor.ts'
import type { RunEvent } from '../../packages/echelon/src/core/agent/event.ts'
import { corpus, type Sample, shows } from './corpus.ts'
import { type Sink, supportSinksOf } from './sinks.ts'

const SAMPLES = corpus(14, 315)
const PER_TURN = 5

const folder = mkdtempSync(join(tmpdir(), 'echelon-support-sinks-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** The course of a turn, with texts in all places where text can come from. */
interface Turn {
  readonly answers: (texts: readonly string[]) => readonly MockAnswer[]
  readonly decision?: (texts: readonly string[]) => PolicyDecision
  readonly result?: (texts: readonly string[]) => ToolResult
}

const read = (params: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    intent_id: 'order_status',
    extracted_params: params,
    missing_params: [],
    confidence: 0.9,
    act: 'wish',
    further_intents: [],
  })

const ORDER = { order_id: 'O-12345' }
const planned = (reasoning: string): MockAnswer => ({
  content: reasoning,
  toolCalls: [{ toolName: 'check_order_status', params: ORDER }],
})

const text = (texts: readonly string[], nth: number): string => texts[nth] ?? ''

const TURNS: Readonly<Record<string, Turn>> = {
  'is denied': {
    answers: (texts) => [read(ORDER), planned(text(texts, 1))],
    decision: (texts) => ({
      allowed: false,
      violations: [text(texts, 2), text(texts, 3)],
      requiresEscalation: false,
      rules: [text(texts, 4)],
      shadow: { would: text(texts, 0) },
    }),
  },
  'fails in its tool': {
    answers: (texts) => [read(ORDER), planned(text(texts, 1))],
    result: (texts) => undone(text(texts, 2), text(texts, 3)),
  },
  'fails in its model': {
    answers: (texts) => [read(ORDER), new Error(text(texts, 1))],
  },
  'is not understood by its model': {
    // It is asked once more.
    answers: (texts) => [1, 2].map(() => JSON.stringify({ act: text(texts, 1), confidence: 1 })),
  },
  'is answered': {
    answers: (texts) => [read(ORDER), planned(text(texts, 1)), `It is ${text(texts, 2)}`],
    result: (texts) => ({
      success: true,
      data: { status: 'shipped', note: text(texts, 3) },
      error: null,
      executionTimeMs: 1,
    }),
  },
}

/** Resolves one message whose surroundings contain the samples, and collects everything that it shows. */
async function tell(
  { answers, decision, result }: Turn,
  samples: readonly Sample[],
  { sqlite, session }: { readonly sqlite: SQLiteSink; readonly session: string },
): Promise<{ readonly sinks: readonly Sink[]; readonly memory: string }> {
  const texts = samples.map((sample) => sample.text)
  const printed: string[] = []
  const mock = new MockSink()
  const memory = new PlainMemory()
  const { router } = plainRouter({
    memory,
    llmProvider: new MockLLMProvider(answers(texts)),
    policy: new PlainPolicy(() => decision?.(texts) ?? YES),
    executor: new PlainExecutor(result && { check_order_status: result(texts) }),
    telemetry: [new PrintSink({ write: (line) => printed.push(line) }), sqlite, mock],
  })
  const events: RunEvent[] = []
  const run = await router.start({ id: 'm', text: `O-12345 ${text(texts, 0)}` }, session)
  for await (const event of run) events.push(event)
  await run.response
  const stored = await sqlite.events(session)
  const sinks = supportSinksOf({ events, printed, stored, told: mock.events })
  return { sinks, memory: JSON.stringify(await memory.getHistory(session)) }
}

describe('a turn of the support agent', () => {
  for (const [how, turn] of Object.entries(TURNS)) {
    test(`[S-15] that ${how} shows nothing of a seeded corpus to its sinks`, async () => {
      const leaks: string[] = []
      const sqlite = new SQLiteSink(join(folder, `${how}.db`))
      for (let first = 0; first < SAMPLES.length; first += PER_TURN) {
        const samples = SAMPLES.slice(first, first + PER_TURN)
        const { sinks, memory } = await tell(turn, samples, { sqlite, session: `s${first}` })
        assert.ok(sinks.every(({ read: shown }) => shown().includes('response_generated')))
        for (const { name, read: shown } of sinks) {
          const seen = samples.filter((sample) => shows(shown(), sample))
          leaks.push(...seen.map(({ kind, text: of }) => `${name} shows the ${kind} of ${of}`))
        }
        // Conversation data is not redacted: there it can be seen.
        assert.ok(
          samples.some((sample) => shows(memory, sample)),
          how,
        )
      }
      await sqlite.close()
      assert.deepEqual(leaks, [])
    })
  }
})
