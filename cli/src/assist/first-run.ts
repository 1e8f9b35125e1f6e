import { DEFAULT_INTENT, type Intent, type MemoryFolder } from '@echelon/assist'

/** Questions that make an intent. */
const QUESTIONS = [
  'What should I help you with?',
  'What matters most to you in it? A few words, separated by commas.',
  'What should my answers never be? For example: flattery, long lists.',
] as const

export const INVITATION =
  'There is no intent of yours yet. Three short questions make one; - skips a question, and if you ask me something instead, I take it at once.'

/** A line that asks for something now. */
const ASKS =
  /\?\s*$|^(?:(?:please\s+)?(?:help me|tell me|explain|write|show|give|compare|find|should i|how do|what is)\b|(?:hi|hello|hey|thanks|thank you)\b)/iu

/** The next step after a line of a first run. */
export type FirstStep =
  | { readonly type: 'ask'; readonly question: string }
  /** The line is a message: the example intent applies, or the user's own from now on. */
  | { readonly type: 'message' }
  | { readonly type: 'made'; readonly intent: Intent }
  /** Nothing was answered. */
  | { readonly type: 'skipped' }

/**
 * Makes an intent from at most three answers. Nothing is written before the last one, and only what the
 * user said goes into it.
 */
export class FirstRun {
  readonly #memory: Pick<MemoryFolder, 'setIntent'>
  readonly #answers: string[] = []
  #isOver = false

  constructor(memory: Pick<MemoryFolder, 'setIntent'>) {
    this.#memory = memory
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get question(): string {
    return QUESTIONS[this.#answers.length] ?? ''
  }

  async take(line: string): Promise<FirstStep> {
    if (this.#isOver || (this.#answers.length === 0 && ASKS.test(line))) {
      this.#isOver = true
      return { type: 'message' }
    }
    this.#answers.push(/^(?:-|skip|none|no)$/iu.test(line.trim()) ? '' : line.trim())
    if (this.#answers.length < QUESTIONS.length) return { type: 'ask', question: this.question }
    this.#isOver = true
    if (this.#answers.every((answer) => answer === '')) return { type: 'skipped' }
    const intent = intentOf(this.#answers)
    await this.#memory.setIntent(intent)
    return { type: 'made', intent }
  }
}

const MOST_ENTRIES = 6
const LONGEST = 120

/** The user's values with the example's stop conditions and rules, which hold for any. */
function intentOf([success = '', stars = '', never = '']: readonly string[]): Intent {
  const { stop_conditions, authority_rules } = DEFAULT_INTENT
  return {
    north_stars: entriesOf(stars),
    current_success: success === '' ? 'Help me to think it through' : cut(success),
    non_goals: entriesOf(never),
    stop_conditions,
    authority_rules,
  }
}

const entriesOf = (answer: string): readonly string[] =>
  [
    ...new Set(
      answer
        .split(/[,;]|\s+and\s+/u)
        .map(cut)
        .filter((entry) => entry !== ''),
    ),
  ].slice(0, MOST_ENTRIES)

const cut = (text: string): string =>
  text
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/[.!]+$/u, '')
    .slice(0, LONGEST)
    .toWellFormed()
