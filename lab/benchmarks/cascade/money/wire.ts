import type { Amounts } from '../../../../packages/echelon/src/core/agent/budget.ts'
import type { Usage } from '../../../../packages/echelon/src/core/model/model.ts'
import type { Reservations } from './reservations.ts'

/** A request as a model sees it. */
export interface Request {
  readonly role: string
  /** Tokens of the prompt as its tokenizer counts them. */
  readonly input: number
  /** The most tokens that the answer may have. */
  readonly maxOutput: number
  /** US dollars of a usage; undefined if the price is not known. */
  readonly price: (usage: Usage) => number | undefined
  /** The prompt as text, which tells a repeated request from a new one. */
  readonly text: string
}

/** The amounts charged for an attempt: at first its worst case. */
interface Account {
  readonly request: Request
  readonly worst: Bill
  bill: Bill
  /** The true usage of the model; the worst case until it is known. */
  truth: Bill
  isOpen: boolean
}

interface Bill {
  readonly tokens: number
  readonly money: number
}

/** A request on its way; how it ended is told by the model. */
export interface Sent {
  /** The provider refused the request or never got it: it bills nothing. */
  free(): void
  /** It answered, with a usage that may be wrong; undefined if no usage can be read from it. */
  answered(reported: Usage | undefined, used: Usage): void
  /** It failed after it may have worked: the worst case stands. */
  failed(): void
}

const NO_BILL: Bill = { tokens: 0, money: 0 }
/** Sums of fractions may differ in the last digits. */
const ROUNDING = 1 + 1e-9

/**
 * The bill of a run as the models see it, kept apart from the run's own ledger. An attempt counts at its worst
 * case from the moment it is sent. Later it counts as reported, never above the worst case; at nothing if the
 * provider refused it; and at the worst case for good if it was cut or reported no possible usage.
 */
export class Wire {
  readonly #limits: Amounts
  readonly #reservations: Reservations
  readonly #accounts: Account[] = []
  readonly #failed = new Set<string>()
  readonly violations: string[] = []
  /** Requests sent again after they failed. */
  repeated = 0
  /** The most requests under way at the same time. */
  mostAtOnce = 0
  toolRuns = 0

  constructor(limits: Amounts, reservations: Reservations) {
    this.#limits = limits
    this.#reservations = reservations
  }

  get attempts(): number {
    return this.#accounts.length
  }

  send(request: Request): Sent {
    const usage = { input: request.input, output: request.maxOutput }
    const money = request.price(usage)
    if (money === undefined && this.#limits['money'] !== undefined) {
      this.violations.push('a model of unknown price was called under a limit of money')
    }
    const worst = { tokens: usage.input + usage.output, money: money ?? 0 }
    const account: Account = { request, worst, bill: worst, truth: worst, isOpen: true }
    this.#accounts.push(account)
    if (this.#failed.has(request.text)) this.repeated++
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#accounts.filter((one) => one.isOpen).length)
    this.#checkReservation(account)
    this.#checkSum('when a request was sent')
    return this.#sent(account)
  }

  /** Compares the bill with the limits and with the ledger of the run at its end. */
  close(spent: Amounts): readonly string[] {
    this.#checkSum('at the end')
    for (const [counter, limit] of Object.entries(this.#limits)) {
      const charged = spent[counter] ?? 0
      // Time is not bought: the call that uses it up is cut off a moment later.
      if (counter !== 'seconds' && charged > limit * ROUNDING) {
        this.violations.push(`the ledger has ${charged} ${counter} of ${limit}`)
      }
    }
    const { tokens, money } = this.#sum()
    if (this.#reserves && (spent['tokens'] ?? 0) < tokens) {
      this.violations.push(`the ledger has ${spent['tokens']} tokens of ${tokens}`)
    }
    if (this.#limits['money'] !== undefined && (spent['money'] ?? 0) * ROUNDING < money) {
      this.violations.push(`the ledger has ${spent['money']} dollars of ${money}`)
    }
    this.#checkCalls(spent)
    return this.violations
  }

  /** Whether the models used more than a limit, including tokens that they did not report. */
  get isTrulyOver(): boolean {
    const sums = { tokens: 0, money: 0 }
    for (const { truth } of this.#accounts) {
      sums.tokens += truth.tokens
      sums.money += truth.money
    }
    return KINDS.some((kind) => sums[kind] > (this.#limits[kind] ?? Infinity) * ROUNDING)
  }

  #sent(account: Account): Sent {
    const { request, worst } = account
    const billOf = (usage: Usage): Bill => ({
      tokens: usage.input + usage.output,
      money: request.price(usage) ?? 0,
    })
    return {
      free: () => {
        this.#failed.add(request.text)
        account.isOpen = false
        account.bill = NO_BILL
        account.truth = NO_BILL
      },
      failed: () => {
        this.#failed.add(request.text)
        account.isOpen = false
      },
      answered: (reported, used) => {
        account.isOpen = false
        account.truth = billOf(used)
        if (reported !== undefined) account.bill = least(billOf(reported), worst)
      },
    }
  }

  /** Whether attempts reserve more than their own call. */
  get #reserves(): boolean {
    return KINDS.some((kind) => this.#limits[kind] !== undefined)
  }

  #checkReservation({ request, worst }: Account): void {
    const held = this.#reservations.take()
    if (held === undefined || (held[`calls.${request.role}`] ?? 0) < 1) {
      this.violations.push('a request was sent for which no call was reserved')
      return
    }
    if (this.#reserves && (held['tokens'] ?? 0) < worst.tokens) {
      this.violations.push(`${held['tokens']} tokens were reserved for ${worst.tokens}`)
    }
    if (this.#limits['money'] !== undefined && (held['money'] ?? 0) * ROUNDING < worst.money) {
      this.violations.push(`${held['money']} dollars were reserved for ${worst.money}`)
    }
  }

  #checkSum(when: string): void {
    const sum = this.#sum()
    for (const kind of KINDS) {
      const limit = this.#limits[kind]
      if (limit !== undefined && sum[kind] > limit * ROUNDING) {
        this.violations.push(`${sum[kind]} ${kind} of ${limit} ${when}`)
      }
    }
  }

  #checkCalls(spent: Amounts): void {
    const roles = Map.groupBy(this.#accounts, ({ request }) => request.role)
    for (const [role, { length }] of roles) {
      const counter = `calls.${role}`
      if (length > (this.#limits[counter] ?? Infinity)) {
        this.violations.push(`${length} ${counter} of ${this.#limits[counter]} were made`)
      }
      // More only where a run ended before a reserved call went out.
      if ((spent[counter] ?? 0) < length) {
        this.violations.push(`the ledger has ${spent[counter] ?? 0} of ${length} ${counter}`)
      }
    }
    if (this.toolRuns > (this.#limits['tools'] ?? Infinity)) {
      this.violations.push(`${this.toolRuns} tool calls of ${this.#limits['tools']} were made`)
    }
  }

  #sum(): Bill {
    const sum = { tokens: 0, money: 0 }
    for (const { bill } of this.#accounts) {
      sum.tokens += bill.tokens
      sum.money += bill.money
    }
    return sum
  }
}

const KINDS = ['tokens', 'money'] as const

const least = (one: Bill, other: Bill): Bill => ({
  tokens: Math.min(one.tokens, other.tokens),
  money: Math.min(one.money, other.money),
})
