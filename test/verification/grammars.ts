import { ARITHMETIC } from './grammar/arithmetic.ts'
import { COMMANDS } from './grammar/commands.ts'
import { DATES } from './grammar/dates.ts'
import { EVENT_DATES } from './grammar/events.ts'
import { PLAIN_ARITHMETIC } from './grammar/plain-arithmetic.ts'
import { PLAIN_STORIES } from './grammar/plain-stories.ts'
import { PRICES } from './grammar/prices.ts'
import { HOLDINGS } from './grammar/holdings.ts'
import { OPEN_PHRASES } from './grammar/open-phrases.ts'
import { RATES } from './grammar/rates.ts'
import { SECOND_QUESTIONS } from './grammar/second-questions.ts'
import { SPANS } from './grammar/spans.ts'
import type { Grammar } from './item.ts'

/** All kinds of questions. */
export const GRAMMARS: readonly Grammar[] = [
  ...OPEN_PHRASES,
  ...ARITHMETIC,
  ...COMMANDS,
  ...EVENT_DATES,
  ...DATES,
  ...SPANS,
  ...PRICES,
  ...HOLDINGS,
  ...RATES,
  ...SECOND_QUESTIONS,
  ...PLAIN_ARITHMETIC,
  ...PLAIN_STORIES,
]
