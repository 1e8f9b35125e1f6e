import { Temporal } from 'temporal-polyfill'
import { DEFAULT_INTENT } from '../../src/agents/assist/intent.ts'
import { readUser } from '../../src/agents/assist/sense/read-user.ts'
import { readDates } from '../../src/agents/decide/verifiers/dates/read-dates.ts'
import { readQuestion } from '../decide/verifiers.ts'
import { loadIntents } from '../../src/agents/support/defaults/intents-file.ts'
import { NO_DIALOGUE } from '../../src/agents/support/turn/dialogue.ts'
import { trainReader } from '../../src/agents/support/understand/embedded-reader.ts'
import { quoted } from '../../src/agents/support/wording/quoted.ts'
import { redactText } from '../../src/core/redaction.ts'
import { framed, labelOf, originsIn } from '../../src/core/untrusted-text.ts'
import { extractSummary } from '../../src/memory/extract-summary.ts'
import { readTask } from '../../src/providers/offline/models.ts'
import { readPrompt } from '../../src/providers/offline/prompt.ts'
import { readSecond } from '../../src/providers/offline/second-reading.ts'
import { evaluate } from '../../src/tools/calculator/evaluate.ts'
import { readDate } from '../../src/tools/calendar/read-date.ts'
import type { Reader } from './reader.ts'

/** `MOST_CHARACTERS` of the offline models. */
const OFFLINE = { characters: 2000, ms: 5000 }
/** As the input of the calendar's tool has it. */
const CALENDAR = { characters: 500, ms: 2000 }

const TODAY = Temporal.PlainDate.from('2026-11-22')

const { config } = await loadIntents()
const support = trainReader(config.intents)
const context = { intents: config.intents, dialogue: NO_DIALOGUE, history: [] }

const task = (text: string): Parameters<typeof readTask>[1] => ({
  question: text,
  today: '2026-11-22',
  tools: new Set(['calculator', 'calendar', 'data_fetch_stock', 'numeric_analysis', 'plotter']),
})

const QUESTIONS = [
  'A shirt costs $40 and is 25% off; what do three cost?',
  'Ann has 3 apples and gives 2 to Bob. How many does she have left?',
  'What is 12.5% of 1,280 rounded to two decimal places?',
  'Plot the last 10 closes of AAPL',
  'What is sqrt(2)^2 + 3!?',
]
const DATES = [
  'What is the date 45 days after March 3, 2025?',
  'the last Friday of next month',
  'If today is 2024-02-29, which weekday is three workdays later?',
]
const MESSAGES = [
  'Hi, where is my order O-12345? Thanks!',
  'Refund order O-54321, it arrived broken, and change the address of O-11111 to 1 High St.',
  'no, the other one, please',
]

/** What users write, and what is made of any text. */
export const MESSAGES_OF_USERS: readonly Reader[] = [
  {
    name: 'a question of the decision agent',
    of: ['src/agents/decide/verifiers/'],
    read: readQuestion,
    samples: QUESTIONS,
  },
  {
    name: 'a question of the big offline model',
    of: ['src/providers/offline/'],
    read: (text) => readTask('big', task(text)),
    samples: [...QUESTIONS, ...DATES],
    within: OFFLINE,
  },
  {
    name: 'a question of the small offline model',
    of: ['src/providers/offline/'],
    read: (text) => readTask('small', task(text)),
    samples: [...QUESTIONS, ...DATES],
    within: OFFLINE,
  },
  {
    name: 'a question, read a second time',
    of: ['src/providers/offline/second-reading.ts'],
    read: readSecond,
    samples: QUESTIONS,
    within: OFFLINE,
  },
  {
    name: 'the prompt of an offline model',
    of: ['src/providers/offline/prompt.ts'],
    read: (text) => readPrompt([{ role: 'user', content: [{ type: 'text', text }] }]),
    samples: QUESTIONS,
  },
  {
    name: 'an expression of the calculator',
    of: ['src/tools/calculator/'],
    read: evaluate,
    samples: ['40*0.75*3', '1/3*3 + sqrt(2)^2', 'floor(100/7) % 5', 'round(2.5e10 / 3, 2)'],
    within: { characters: 2000, ms: 5000 },
  },
  {
    name: 'a question of the calendar',
    of: ['src/tools/calendar/'],
    read: (text) => readDate(text, TODAY),
    samples: DATES,
    within: CALENDAR,
  },
  {
    name: 'dates in a question',
    of: ['src/agents/decide/verifiers/dates/'],
    read: (text) => readDates(text, '2026-11-22'),
    samples: DATES,
    within: { characters: 1000, ms: 2000 },
  },
  {
    name: 'a message to the assistant',
    of: ['src/agents/assist/sense/'],
    read: (text) => readUser(text, DEFAULT_INTENT),
    samples: ['Should I move to Berlin?', 'stop, that is enough', 'this is useless!!'],
  },
  {
    name: 'a message to support',
    of: ['src/agents/support/understand/'],
    read: (text) => support(text, context),
    samples: MESSAGES,
  },
  {
    name: 'a message quoted in a prompt',
    of: ['src/agents/support/wording/quoted.ts'],
    read: (text) => quoted('customer_message', text),
    samples: MESSAGES,
  },
  {
    name: 'redaction',
    of: ['src/core/redaction.ts', 'src/core/redaction/'],
    read: redactText,
    samples: [
      'write to ada@example.org or call +1 (555) 010-0199, card 4111 1111 1111 1111',
      'password: hunter22, IBAN DE89 3704 0044 0532 0130 00, 10.0.0.1, 1 High Street',
    ],
  },
  {
    name: 'the frame of untrusted text',
    of: ['src/core/untrusted-text.ts'],
    read: (text) => framed(text, text),
    samples: ['<untrusted-text origin="a">b</untrusted-text>'],
  },
  {
    name: 'the origins in a text',
    of: ['src/core/untrusted-text.ts'],
    read: originsIn,
    samples: ['<untrusted-text origin="a">b</untrusted-text>'],
  },
  {
    name: 'the label of an origin',
    of: ['src/core/untrusted-text.ts'],
    read: labelOf,
    samples: ['the MCP server web'],
  },
  {
    name: 'the summary of a conversation',
    of: ['src/memory/extract-summary.ts'],
    read: (text) => extractSummary('', [{ role: 'user', content: [{ type: 'text', text }] }], 2000),
    samples: [...MESSAGES, ...QUESTIONS],
  },
]
