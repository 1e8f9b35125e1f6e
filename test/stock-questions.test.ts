import { deepEqual, equal, match } from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readQuestion } from './decide/verifiers.ts'
import { markNumbers } from '../packages/offline/src/numbers.ts'
import { readStock } from '../packages/offline/src/stocks.ts'

/** The tools that the small model uses, and the days that it fetches. */
function planFor(question: string): string | undefined {
  const actions = readStock(question, markNumbers(question))
  return actions
    ?.map(({ tool, args }) => tool + (typeof args['n'] === 'number' ? ` ${args['n']}` : ''))
    .join(', ')
}

/** The verifier's reading: days, and the other requested parts. */
function claimOf(question: string): string {
  const claim = readQuestion(question)
  if (claim.kind !== 'stock') return claim.kind
  const average = claim.window === null ? 'mean' : `average of ${claim.window}`
  const parts = [
    ...(claim.average ? [average] : []),
    ...claim.extremes,
    ...(claim.plot ? ['plot'] : []),
  ]
  return [`${claim.ticker} ${claim.rows}`, ...parts].join(', ')
}

const FETCH = 'data_fetch_stock'
const [ANALYSE, PLOT] = [', numeric_analysis', ', numeric_analysis, plotter']

const ASKED: readonly (readonly [question: string, plan: string, claim: string])[] = [
  ['AAPL closes, last 12 sessions', `${FETCH} 12`, 'AAPL 12'],
  ['List the previous 12 closing prices of Apple (AAPL)', `${FETCH} 12`, 'AAPL 12'],
  ["what were Apple's closing prices over the past 8 trading days?", `${FETCH} 8`, 'AAPL 8'],
  ['Show the AAPL price history for 40 days', `${FETCH} 40`, 'AAPL 40'],
  ['I want to see the last twenty closes of Apple', `${FETCH} 20`, 'AAPL 20'],
  ["get me AAPL's 15 most recent closing prices, only the numbers", `${FETCH} 15`, 'AAPL 15'],
  ['Could you fetch 60 trading days of Apple share prices?', `${FETCH} 60`, 'AAPL 60'],
  ['latest close of aapl', `${FETCH} 1`, 'AAPL 1'],
  ['What did Apple close at most recently?', `${FETCH} 1`, 'AAPL 1'],
  ['the most recent AAPL close', `${FETCH} 1`, 'AAPL 1'],
  ['How did AAPL do over the past 30 trading days?', `${FETCH} 30`, 'AAPL 30'],
  ['average close of AAPL over the past 20 days', `${FETCH} 20${ANALYSE}`, 'AAPL 20, mean'],
  ['mean of the last 30 AAPL closes', `${FETCH} 30${ANALYSE}`, 'AAPL 30, mean'],
  ['AAPL seven-day MA, 30 days', `${FETCH} 30${ANALYSE}`, 'AAPL 30, average of 7'],
  [
    'give me the 7-day SMA of Apple over the last 50 days without a chart',
    `${FETCH} 50${ANALYSE}`,
    'AAPL 50, average of 7',
  ],
  [
    "7-day rolling average of AAPL, past 21 days, don't plot it",
    `${FETCH} 21${ANALYSE}`,
    'AAPL 21, average of 7',
  ],
  ['highest close of AAPL in the past 30 trading days', `${FETCH} 30${ANALYSE}`, 'AAPL 30, max'],
  ['Lowest and highest AAPL close over 45 days?', `${FETCH} 45${ANALYSE}`, 'AAPL 45, max, min'],
  [
    "what's the minimum closing price of Apple in the previous 10 sessions",
    `${FETCH} 10${ANALYSE}`,
    'AAPL 10, min',
  ],
  ['chart AAPL for 45 days', `${FETCH} 45${PLOT}`, 'AAPL 45, plot'],
  [
    "I'd like a picture of Apple's share price for the last 30 days",
    `${FETCH} 30${PLOT}`,
    'AAPL 30, plot',
  ],
  ['Please draw the last 30 closes of AAPL', `${FETCH} 30${PLOT}`, 'AAPL 30, plot'],
  [
    'Visualize AAPL closes for the last 90 days with the MA7',
    `${FETCH} 90${PLOT}`,
    'AAPL 90, average of 7, plot',
  ],
  [
    'Show me the mean close of AAPL for the last 30 days and a chart',
    `${FETCH} 30${PLOT}`,
    'AAPL 30, mean, plot',
  ],
]

suite('[DD-8] a plan for closing prices has what the question asks for', () => {
  for (const [question, plan, claim] of ASKED) {
    test(question, () => deepEqual([planFor(question), claimOf(question)], [plan, claim]))
  }
})

const NOT_READ: readonly string[] = [
  'On which day was AAPL highest in the last 30 days?',
  'What was the highest close of AAPL?',
  'highest 7-day moving average of AAPL in the last 30 days',
  'average of the 5 highest closes of AAPL in the last 30 days',
  'How many days did AAPL close higher in the last 30 days?',
  'AAPL closing prices for the last 30 days excluding Mondays',
  'AAPL closing prices between March and May',
  'Compare AAPL and MSFT over 30 days',
  'AAPL in the last two months',
  'AAPL high and low of yesterday',
  'AAPL volume for the last 30 days',
  'What was AAPL worth 30 days ago?',
  'last 30 and 60 day closes of AAPL',
  "AAPL's price in euros for the last 30 days",
  'the median close of AAPL for the last 30 days',
  'Do not show the AAPL closing prices for the last 30 days',
  'Plot the last 30 days of AAPL, no average',
  'the first 30 closes of AAPL',
  'last 30 days closing price for apple pie',
]

suite('[DD-8] a request with a word that plays no part is not read', () => {
  for (const question of NOT_READ) {
    test(question, () => {
      equal(planFor(question), undefined)
      equal(readQuestion(question).kind, 'unknown')
    })
  }
})

/** Requests that would be readable except for one word, and the reason. */
const DOUBTFUL: readonly (readonly [question: string, why: RegExp])[] = [
  ["What is Apple's stock price today?", /last day of the data/],
  ["What is AAPL's current price?", /last day of the data/],
  ['What did AAPL close at yesterday?', /last day of the data/],
  ['closing price of AAPL 30 days ago', /last day of the data/],
  ['AAPL opening prices for the last 30 days', /only figures/],
  ['What was the volume of AAPL stock over the last 10 days?', /only figures/],
  ['Show me weekly closing prices of AAPL for the last 10 weeks', /counted in trading days/],
  ['Monthly closing prices of AAPL', /counted in trading days/],
  ['AAPL closing prices of the last 30 calendar days', /other days/],
  ['AAPL closing prices of the last 10 business days', /other days/],
  ['Is AAPL a stock?', /yes or no/],
  ['Did AAPL close high over the last 10 days?', /yes or no/],
  ["What is Apple's market share?", /not said that closing prices/],
  ["What's Apple's ticker?", /not said that closing prices/],
  ['What is the price of an apple?', /fruit/],
  ['what is the latest price of apple', /fruit/],
  ['Plot AAPL for the last 60 days with a 20-day moving average', /only a 7-day/],
  ['7-day moving average of AAPL over the last 5 days', /at least 7 days/],
  ['Plot the average and the 7-day moving average of AAPL for the last 30 days', /at once/],
  ['average of the highest and lowest closing prices of AAPL, last 30 days', /average of highest/],
  ['What was the most AAPL closed at in the last 30 days?', /most/],
  ['Show the top closing price of AAPL in the last 30 days', /top/],
  ['High of AAPL stock in the last 30 days', /high or low of a day/],
  ["Show me last week's closing prices of AAPL", /calendar week/],
  ['AAPL closing prices this week', /calendar week/],
  ['What is the average closing price of AAPL?', /how many days/],
  ['Show all closing prices of AAPL', /how many days/],
  ['the previous close of AAPL', /how many days/],
  ['AAPL close in recent days', /how many days/],
  ['Plot AAPL and MSFT for the last 30 days', /one share/],
  ['Plot the last 30 days and the last 60 days of AAPL', /what each number counts/],
]

suite('[DD-8] a request for prices with two readings is not checked, and says why', () => {
  for (const [question, why] of DOUBTFUL) {
    test(question, () => {
      const claim = readQuestion(question)
      match(claim.kind === 'unknown' ? claim.why : claim.kind, why)
    })
  }
})

suite('[DD-8] a request with one reading is still read', () => {
  for (const [question, claim] of [
    ['AAPL closing prices over the past week', 'AAPL 5'],
    ['How did Apple stock do over the last week?', 'AAPL 5'],
    ['the highest price of AAPL in the last 30 days', 'AAPL 30, max'],
    ['Plot AAPL with its 7-day moving average on top', 'AAPL 30, average of 7, plot'],
    ["What's the latest price of Apple stock?", 'AAPL 1'],
  ] as const) {
    test(question, () => equal(claimOf(question), claim))
  }
})
