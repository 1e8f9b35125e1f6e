import { Temporal } from 'temporal-polyfill'
import { DEFAULT_INTENT } from '../../packages/assist/src/intent/intent.ts'
import { readUser } from '../../packages/assist/src/sense/read-user.ts'
import { readDates } from '../../packages/echelon/src/agents/decide/verifiers/dates/read-dates.ts'
import { readQuestion } from '../decide/verifiers.ts'
import { loadIntents } from '../../packages/support/src/defaults/intents-file.ts'
import { NO_DIALOGUE } from '../../packages/support/src/turn/dialogue.ts'
import { trainReader } from '../../packages/support/src/understand/embedded-reader.ts'
import { documentIn } from '../../packages/support/src/wording/sentences.ts'
import { quoted } from '../../packages/support/src/wording/quoted.ts'
import { redactText } from '../../packages/echelon/src/core/redaction/redaction.ts'
import {
  framed,
  labelOf,
  originsIn,
} from '../../packages/echelon/src/core/message/untrusted-text.ts'
import { extractSummary } from '../../packages/echelon/src/middleware/history/extract-summary.ts'
import { readFacts } from '../../packages/knowledge/src/facts/read-facts.ts'
import { readTask } from '../../packages/offline/src/models.ts'
import { readPrompt } from '../../packages/offline/src/prompt.ts'
import { readSecond } from '../../packages/offline/src/second-reading.ts'
import { evaluate } from '../../packages/tools/src/calculator/evaluate.ts'
import { readDate } from '../../packages/tools/src/calendar/read/read-date.ts'
import type { Reader } from './reader.ts'

/** `MOST_CHARACTERS` of the offline models. */
const OFFLINE = { characters: 2000, ms: 5000 }
/** As in the input of the calendar tool. */
const CALENDAR = { characters: 500, ms: 2000 }

const TODAY = Temporal.PlainDate.from('2026-11-22')

const { intents, outOfScope, ...further } = (await loadIntents()).config
const support = trainReader(intents, outOfScope, further)
const context = { intents, dialogue: NO_DIALOGUE, history: [] }

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

/** Readers of user text. */
export const MESSAGES_OF_USERS: readonly Reader[] = [
  {
    name: 'a question of the decision agent',
    of: ['packages/echelon/src/agents/decide/verifiers/'],
    read: readQuestion,
    samples: QUESTIONS,
  },
  {
    name: 'a question of the big offline model',
    of: ['packages/offline/src/'],
    read: (text) => readTask('big', task(text)),
    samples: [...QUESTIONS, ...DATES],
    within: OFFLINE,
  },
  {
    name: 'a question of the small offline model',
    of: ['packages/offline/src/'],
    read: (text) => readTask('small', task(text)),
    samples: [...QUESTIONS, ...DATES],
    within: OFFLINE,
  },
  {
    name: 'a question, read a second time',
    of: ['packages/offline/src/second-reading.ts'],
    read: readSecond,
    samples: QUESTIONS,
    within: OFFLINE,
  },
  {
    name: 'the prompt of an offline model',
    of: ['packages/offline/src/prompt.ts'],
    read: (text) => readPrompt([{ role: 'user', content: [{ type: 'text', text }] }]),
    samples: QUESTIONS,
  },
  {
    name: 'facts in what a user says',
    of: ['packages/knowledge/src/facts/'],
    read: (text) => readFacts([text]),
    samples: [
      'My name is Ada and I live in Lisbon. My dog is called Bo.',
      'Please remember that I never fly. Forget my address.',
      "I'm allergic to nuts, and my budget is 140 euros.",
    ],
  },
  {
    name: 'an expression of the calculator',
    of: ['packages/tools/src/calculator/'],
    read: evaluate,
    samples: ['40*0.75*3', '1/3*3 + sqrt(2)^2', 'floor(100/7) % 5', 'round(2.5e10 / 3, 2)'],
    within: { characters: 2000, ms: 5000 },
  },
  {
    name: 'a question of the calendar',
    of: ['packages/tools/src/calendar/'],
    read: (text) => readDate(text, TODAY),
    samples: DATES,
    within: CALENDAR,
  },
  {
    name: 'dates in a question',
    of: ['packages/echelon/src/agents/decide/verifiers/dates/'],
    read: (text) => readDates(text, '2026-11-22'),
    samples: DATES,
    within: { characters: 1000, ms: 2000 },
  },
  {
    name: 'a message to the assistant',
    of: ['packages/assist/src/sense/'],
    read: (text) => readUser(text, DEFAULT_INTENT),
    samples: ['Should I move to Berlin?', 'stop, that is enough', 'this is useless!!'],
  },
  {
    name: 'a message to support',
    of: ['packages/support/src/understand/'],
    read: (text) => support(text, context),
    samples: MESSAGES,
  },
  {
    name: 'the document of an answer',
    of: ['packages/support/src/wording/sentences.ts'],
    read: documentIn,
    samples: ['Returns are free. (From: Returns: Does a return cost anything?)', ...MESSAGES],
  },
  {
    name: 'a message quoted in a prompt',
    of: ['packages/support/src/wording/quoted.ts'],
    read: (text) => quoted('customer_message', text),
    samples: MESSAGES,
  },
  {
    name: 'redaction',
    of: [
      'packages/echelon/src/core/redaction/redaction.ts',
      'packages/echelon/src/core/redaction/',
    ],
    read: redactText,
    samples: [
      'write to ada@example.org or call +1 (555) 010-0199, card 4111 1111 1111 1111',
      'password: hunter22, IBAN DE89 3704 0044 0532 0130 00, 10.0.0.1, 1 High Street',
    ],
  },
  {
    name: 'the frame of untrusted text',
    of: ['packages/echelon/src/core/message/untrusted-text.ts'],
    read: (text) => framed(text, text),
    samples: ['<untrusted-text origin="a">b</untrusted-text>'],
  },
  {
    name: 'the origins in a text',
    of: ['packages/echelon/src/core/message/untrusted-text.ts'],
    read: originsIn,
    samples: ['<untrusted-text origin="a">b</untrusted-text>'],
  },
  {
    name: 'the label of an origin',
    of: ['packages/echelon/src/core/message/untrusted-text.ts'],
    read: labelOf,
    samples: ['the MCP server web'],
  },
  {
    name: 'the summary of a conversation',
    of: ['packages/echelon/src/middleware/history/extract-summary.ts'],
    read: (text) => extractSummary('', [{ role: 'user', content: [{ type: 'text', text }] }], 2000),
    samples: [...MESSAGES, ...QUESTIONS],
  },
]
