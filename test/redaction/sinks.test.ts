import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { z } from 'zod'
import { defineTool, type Tool, ToolError } from '../../packages/echelon/src/core/tool/tool.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import { apiError, type ScriptedAnswer } from '../../packages/echelon/src/testing/scripted-model.ts'
import type { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import { openRecords, openTelemetry, recordFiles } from '@echelon/telemetry'
import { IS_WHOLE } from '../share.ts'
import { Heard as Traced } from '../tracing/kit.ts'
import { openTrace } from '../../cli/src/run/trace-file.ts'
import {
  calc,
  MATH_TASK,
  type PlannedAction,
  planOf,
  scripted,
  toolsWith,
} from '../decide/fixtures.ts'
import { corpus, type Sample, shows } from './corpus.ts'
import { type Heard, journaledErrors, type Sink, sinksOf } from './sinks.ts'

/** In rotation, so that a share also has each kind of data many times. */
const SAMPLES = corpus(7, IS_WHOLE ? 630 : 105)

/** Custom tools that return, throw and report their input. */
function leaky(texts: { readonly [Where in Leak]: string }): readonly Tool[] {
  const tool = (name: string, run: Tool['run']): Tool =>
    defineTool({ name, description: 'Leaks.', input: z.record(z.string(), z.json()), run })
  return toolsWith(
    tool('lookup', async (_, context) => {
      context.progress({ at: texts.progress })
      await context.artifacts.write(`${texts.file}.png`, new Uint8Array([1]))
      return { note: texts.result, rows: [{ note: texts.result }], kind: 'data' }
    }),
    tool('refuse', () => {
      throw new ToolError('INVALID_ARGS', texts.refusal)
    }),
    tool('crash', () => {
      throw new Error(texts.exception)
    }),
    defineTool({
      name: 'network',
      description: 'Fails.',
      input: z.record(z.string(), z.json()),
      retries: 1,
      run() {
        throw new ToolError('NET_TIMEOUT', `no answer of ${texts.network}`)
      },
    }),
  )
}

const LEAKS = ['progress', 'result', 'refusal', 'exception', 'network', 'file'] as const
type Leak = (typeof LEAKS)[number]

const call = (tool: string, args: PlannedAction['args'] = {}): PlannedAction => ({ tool, args })
const declined = (reason: string): string => JSON.stringify({ actions: null, cannot: reason })
const failing = (status: number, message: string): ScriptedAnswer => ({
  error: apiError(status, { message }),
})

/** The course of a case, with texts in all places where text can come from. */
type Story = (texts: readonly string[]) => {
  readonly small: readonly ScriptedAnswer[]
  readonly big: readonly ScriptedAnswer[]
}

const text = (texts: readonly string[], index: number): string => texts[index % texts.length] ?? ''

/** Every way to end without an answer, and one with. */
const STORIES: Readonly<Record<string, Story>> = {
  'ends with a decline': (texts) => ({
    small: [
      planOf(call('lookup', { note: text(texts, 0), deep: { list: [text(texts, 1)] } })),
      `I think: ${text(texts, 2)}`,
      declined(text(texts, 3)),
    ],
    big: [
      planOf(call(text(texts, 4)), call('refuse', { [text(texts, 5)]: 1 }), call('crash')),
      declined(text(texts, 6)),
    ],
  }),
  'ends with a tool that fails': (texts) => ({
    small: [planOf(call('network')), planOf(call('crash'))],
    big: [
      `{"actions":[{"tool":"calculator","args":{"expr":"1"},"${text(texts, 0)}":1}]}`,
      planOf(call('refuse', { note: text(texts, 1) })),
      planOf(call('lookup'), call('crash'), call('refuse', { note: text(texts, 2) })),
    ],
  }),
  'ends with a provider that fails': (texts) => ({
    small: [failing(503, text(texts, 0)), failing(401, text(texts, 1))],
    big: [
      failing(429, text(texts, 2)),
      text(texts, 3),
      failing(400, text(texts, 4)),
      text(texts, 5),
    ],
  }),
  'ends with an answer': (texts) => ({
    small: [
      `${text(texts, 0)}\n${planOf(call('lookup', { note: text(texts, 1) }), call('network'), calc('15 * 23'))}`,
    ],
    big: [],
  }),
}

interface Told {
  readonly sinks: readonly Sink[]
  readonly journal: string
  readonly traceFile: string
}

/** Runs a story whose texts contain the samples, and collects everything that it shows. */
async function tell(
  story: Story,
  samples: readonly Sample[],
  { folder, redact_pii = true }: { readonly folder: string; readonly redact_pii?: boolean },
): Promise<Told> {
  using traced = new Traced()
  const texts = samples.map((sample) => sample.text)
  const journal = new MemoryJournal()
  const heard: Heard = { events: [], log: [], views: [] }
  const places = Object.fromEntries(LEAKS.map((leak, index) => [leak, text(texts, index + 1)]))
  const {
    progress = '',
    result = '',
    refusal = '',
    exception = '',
    network = '',
    file = '',
  } = places
  const { decider, clock } = scripted({
    ...story(texts),
    tools: leaky({ progress, result, refusal, exception, network, file }),
    journal,
    records: openRecords({ folder: join(folder, 'records') }),
    tracing: await openTelemetry({ captureContent: true }),
    settings: {
      budget: { max_llm_calls_big: 6, max_tool_calls: 20 },
      telemetry: { redact_pii },
    },
  })
  const traceFile = join(folder, 'trace.jsonl')
  const lines = openTrace(traceFile)
  const run = await decider.start(`${MATH_TASK} ${text(texts, 0)}`, {
    goldAnswer: story === STORIES['ends with an answer'] ? '345' : text(texts, 1),
    onEvent(event) {
      heard.events.push(event)
      if (event.type === 'step-end') heard.views.push(run.view())
    },
    onLog(entry) {
      heard.log.push(entry)
      lines.write(entry)
    },
  })
  const ended = await whileTimePasses(clock, run.result)
  lines.close()
  const files = { 'trace file': traceFile, ...recordFiles(join(folder, 'records')) }
  const written = Object.entries(files).map(([name, path]) => ({
    name,
    // The chain of the audit log starts with 64 zeros, which an account number may contain too.
    read: () => readFileSync(path, 'utf8').replace('0'.repeat(64), ''),
  }))
  // Ids and times are digits that an account number may contain too.
  const spans = traced.spans.map(({ name, attributes, events }) => [
    name,
    attributes,
    events.map((event) => [event.name, event.attributes]),
  ])
  const trace = { name: 'trace with content', read: () => JSON.stringify(spans) }
  const entries = journal.read(ended.run_id)
  const sinks = [...sinksOf(run, ended, heard), ...written, trace, journaledErrors(entries)]
  return { sinks, journal: JSON.stringify(entries), traceFile }
}

/** Retries wait for the clock. */
async function whileTimePasses<Value>(clock: SetClock, ending: Promise<Value>): Promise<Value> {
  const state = { ended: false }
  const end = (): void => {
    state.ended = true
  }
  ending.then(end, end)
  while (!state.ended) await clock.advance(1)
  return ending
}

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-sinks-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const PER_CASE = 7

suite('what a case shows to others than whoever asked', () => {
  for (const [name, story] of Object.entries(STORIES)) {
    test(`[DD-11] [R19.2] shows nothing of a seeded corpus: a case that ${name}`, async (t) => {
      const folder = folderFor(t)
      const leaks: string[] = []
      for (let first = 0; first < SAMPLES.length; first += PER_CASE) {
        const samples = SAMPLES.slice(first, first + PER_CASE)
        const { sinks, traceFile } = await tell(story, samples, { folder })
        for (const { name: sink, read } of sinks) {
          const shown = read()
          const seen = samples.filter((sample) => shows(shown, sample))
          leaks.push(...seen.map(({ kind, text: of }) => `${sink} shows the ${kind} of ${of}`))
        }
        rmSync(traceFile)
        rmSync(join(folder, 'records'), { recursive: true })
      }
      assert.deepEqual(leaks, [])
    })

    test(`without redaction would show the corpus: a case that ${name}`, async (t) => {
      const samples = SAMPLES.slice(0, PER_CASE)
      const { sinks } = await tell(story, samples, { folder: folderFor(t), redact_pii: false })
      for (const { name: sink, read } of sinks) {
        const shown = read()
        const seen = samples.filter((sample) => shows(shown, sample)).length
        // Explanations and file names do not contain it in every story; records contain hardly any text.
        const little = ['explanation', 'artifacts', 'audit', 'usage', 'journaled errors']
        const least = little.includes(sink) ? 0 : 3
        assert.ok(seen >= least, `${sink} shows ${seen} of ${samples.length}`)
      }
    })
  }

  test('explanations and file names would show some without redaction', async (t) => {
    const samples = SAMPLES.slice(0, PER_CASE)
    const leaking: string[] = []
    for (const story of Object.values(STORIES)) {
      const { sinks } = await tell(story, samples, { folder: folderFor(t), redact_pii: false })
      const open = sinks.filter(({ read }) => samples.some((sample) => shows(read(), sample)))
      leaking.push(...open.map(({ name }) => name))
    }
    assert.ok(leaking.includes('explanation') && leaking.includes('artifacts'))
  })

  test("the journal is the run's memory and not a log: it holds the originals", async (t) => {
    const samples = SAMPLES.slice(0, PER_CASE)
    const [input] = samples
    for (const [name, story] of Object.entries(STORIES)) {
      const { journal } = await tell(story, samples, { folder: folderFor(t) })
      assert.ok(input !== undefined && shows(journal, input), name)
    }
  })

  test('the answer is for the caller and stays unredacted', async () => {
    const number = '+1 415 555 0132'
    const book = defineTool({
      name: 'calculator',
      description: 'Looks a number up.',
      input: z.record(z.string(), z.json()),
      run: () => ({ value: number }),
    })
    const { decider } = scripted({ small: [planOf(calc('Ann'))], tools: toolsWith(book) })
    const run = await decider.start('What is 15 * 23?', { goldAnswer: number })
    const { answer, logs, explanation } = await run.result
    assert.deepEqual([answer, run.view().answer], [number, number])
    assert.doesNotMatch(JSON.stringify([logs, explanation]), /0132/)
  })
})
