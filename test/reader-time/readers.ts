import { readFileSync } from 'node:fs'
import { Temporal } from 'temporal-polyfill'
import { DEFAULT_INTENT } from '../../src/agents/assist/intent.ts'
import { readJudgement } from '../../src/agents/assist/judgement-wire.ts'
import type { Plan } from '../../src/agents/assist/plan.ts'
import { readPlan as readAssistPlan } from '../../src/agents/assist/plan-wire.ts'
import { readReport } from '../../src/agents/assist/read-report.ts'
import { readDraft } from '../../src/agents/assist/sense/read-draft.ts'
import { readUser } from '../../src/agents/assist/sense/read-user.ts'
import { readPlan } from '../../src/agents/decide/plan.ts'
import { readQuestion } from '../../src/agents/decide/question.ts'
import { parseIntents } from '../../src/agents/support/defaults/intents-file.ts'
import { parsePolicies } from '../../src/agents/support/defaults/policies-file.ts'
import { NO_DIALOGUE } from '../../src/agents/support/turn/dialogue.ts'
import { trainReader } from '../../src/agents/support/understand/embedded-reader.ts'
import { readClassification } from '../../src/agents/support/wording/classification-prompt.ts'
import { quoted } from '../../src/agents/support/wording/quoted.ts'
import { readFigures } from '../../src/agents/support/wording/read-figures.ts'
import { brokenLines } from '../../src/config/dotenv-lines.ts'
import { jsonIn } from '../../src/core/json-in-text.ts'
import { redactText } from '../../src/core/redaction.ts'
import { framed, labelOf, originsIn } from '../../src/core/untrusted-text.ts'
import { readDataset } from '../../src/evals/dataset.ts'
import { chunksOf } from '../../src/memory/chunks.ts'
import reading from '../../src/memory/documents/reading.ts'
import { extractSummary } from '../../src/memory/extract-summary.ts'
import { readPrompt } from '../../src/providers/offline/prompt.ts'
import { readTask } from '../../src/providers/offline/models.ts'
import { toolInput } from '../../src/runtime/tool-input.ts'
import { readMatter } from '../../src/skills/read-matter.ts'
import { evaluate } from '../../src/tools/calculator/evaluate.ts'
import { readDate } from '../../src/tools/calendar/read-date.ts'
import { readCloses } from '../../src/tools/stock/read-closes.ts'
import { clean, cleanLines, cut } from '../../cli/src/clean.ts'

/** Something that reads a text of any length which others wrote. */
export interface Reader {
  readonly name: string
  /** What it makes of the text is of no interest, and neither is that it refuses it. */
  readonly read: (text: string) => unknown
  /**
   * For one that never sees a longer text, or that runs in a process of its own with a time limit: it is
   * tried at that length alone, and has so much processor time.
   */
  readonly within?: { readonly characters: number; readonly ms: number }
}

/** `MOST_CHARACTERS` of the offline models. */
const OFFLINE = { characters: 2000, ms: 5000 }
/** As the input of the calendar's tool has it. */
const CALENDAR = { characters: 500, ms: 2000 }
/** A parser of others, in the process that reads documents, which has 60 seconds. */
const APART = { characters: 8192, ms: 5000 }

const PLAN: Plan = { approach: 'exploration', altitude: 'L3', constraints: [], focus: [] }
const TODAY = Temporal.PlainDate.from('2026-11-22')

const intentsFile = new URL('../../config/intents.yaml', import.meta.url)
const registry = await parseIntents(readFileSync(intentsFile, 'utf8'), 'intents.yaml')
const { intents } = registry.config
const support = trainReader(intents)
const context = { intents, dialogue: NO_DIALOGUE, history: [] }

const LIMITS = { maxBytes: 10_000_000, maxCharacters: 10_000_000, maxPages: 100 }
const asDocument =
  (name: string): Reader['read'] =>
  (text) =>
    reading({ name, content: Buffer.from(text).toString('base64'), limits: LIMITS })

const asChunks: Reader['read'] = (text) =>
  chunksOf({
    title: 'a',
    sections: [{ text, headings: [], page: null }],
  })

const task = (text: string): Parameters<typeof readTask>[1] => ({
  question: text,
  today: '2026-11-22',
  tools: new Set(['calculator', 'calendar', 'stock_history']),
})

/**
 * Everything that reads what models answer, users write, and documents hold. Whoever writes a new
 * reader adds it here: one line, and it is tried with every shape of `shapes.ts`.
 */
export const READERS: readonly Reader[] = [
  // What models answer
  { name: 'JSON in a text', read: jsonIn },
  { name: 'the plan of the decision agent', read: readPlan },
  { name: 'the arguments of a tool call', read: toolInput },
  { name: 'the classification of a message', read: (text) => readClassification(text, intents) },
  { name: 'the plan of the assistant', read: readAssistPlan },
  {
    name: 'the judgement of the assistant',
    read: (text) =>
      readJudgement(text, DEFAULT_INTENT, {
        plan: PLAN,
        report: { user_input: '', draft: text, earlier: [] },
      }),
  },
  {
    name: 'the report of the assistant',
    read: (text) => readReport({ user_input: text, draft: text, earlier: [] }),
  },
  {
    name: 'a draft of the assistant',
    read: (text) =>
      readDraft(text, {
        intent: DEFAULT_INTENT,
        plan: PLAN,
        report: { user_input: '', draft: text, earlier: [] },
      }),
  },
  { name: 'the figures of an answer', read: readFigures },
  // What users write
  { name: 'a question of the decision agent', read: readQuestion },
  {
    name: 'a question of the big offline model',
    read: (text) => readTask('big', task(text)),
    within: OFFLINE,
  },
  {
    name: 'a question of the small offline model',
    read: (text) => readTask('small', task(text)),
    within: OFFLINE,
  },
  {
    name: 'the prompt of an offline model',
    read: (text) => readPrompt([{ role: 'user', content: [{ type: 'text', text }] }]),
  },
  { name: 'an expression of the calculator', read: evaluate },
  {
    name: 'a question of the calendar',
    read: (text) => readDate(text, TODAY),
    within: CALENDAR,
  },
  { name: 'a message to the assistant', read: (text) => readUser(text, DEFAULT_INTENT) },
  { name: 'a message to support', read: (text) => support(text, context) },
  { name: 'a message quoted in a prompt', read: (text) => quoted('customer_message', text) },
  // What documents and files hold
  { name: 'pieces of a document', read: asChunks },
  { name: 'a Markdown document', read: asDocument('a.md'), within: APART },
  { name: 'an HTML document', read: asDocument('a.html') },
  { name: 'a CSV document', read: asDocument('a.csv') },
  { name: 'a plain text document', read: asDocument('a.txt') },
  { name: 'the file of a skill', read: (text) => readMatter(text, 'a') },
  { name: 'the head of a skill', read: (text) => readMatter(`---\n${text}\n---\n`, 'a') },
  { name: 'a file of policies', read: (text) => parsePolicies(text, 'a.yaml') },
  { name: 'a file of intents', read: (text) => parseIntents(text, 'a.yaml') },
  { name: 'a file of variables', read: brokenLines },
  { name: 'a data set', read: readDataset },
  {
    name: 'a table of prices',
    read: (text) => readCloses(text, { date: 'date', close: 'close' }),
  },
  // What is made of any text
  { name: 'redaction', read: redactText },
  { name: 'the frame of untrusted text', read: (text) => framed(text, text) },
  { name: 'the origins in a text', read: originsIn },
  { name: 'the label of an origin', read: labelOf },
  {
    name: 'the summary of a conversation',
    read: (text) => extractSummary('', [{ role: 'user', content: [{ type: 'text', text }] }], 2000),
  },
  { name: 'a line of the terminal', read: clean },
  { name: 'lines of the terminal', read: cleanLines },
  { name: 'a line cut to its columns', read: (text) => cut(text, 80) },
]
