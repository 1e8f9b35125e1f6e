import { addAmounts } from 'echelon/internal/runtime'
import type { Amounts, Entry, Json, Observation, Started } from 'echelon/runtime'

/** A step as the journal holds it, of the run itself or of a child run. */
export interface RecordedStep {
  readonly path: string
  readonly seq: number
  readonly openedAt: number
  readonly closedAt: number | null
  readonly seen: Observation | null
  readonly reserved: Amounts
  readonly spent: Amounts
  readonly asked: readonly Asked[]
  /** Whether middleware changed the prompt. */
  readonly isFiltered: boolean
}

export interface Asked {
  readonly id: string
  readonly about: Json
  readonly at: number
  readonly reply: Json
  readonly by: string | null
}

interface Open {
  readonly path: string
  readonly seq: number
  readonly openedAt: number
  readonly reserved: Record<string, number>
  readonly asked: Asked[]
}

/** The steps of a run and of its child runs in the order in which they ended; open ones last. */
export function recordedSteps(
  started: Started,
  entries: readonly Entry[],
): readonly RecordedStep[] {
  const reader = new StepReader(started)
  for (const entry of entries) reader.read(entry)
  return reader.steps
}

class StepReader {
  readonly #closed: RecordedStep[] = []
  readonly #open = new Map<string, Open>()
  /** By path, when its next step begins: `next` is pure, so that takes no time. */
  readonly #since = new Map<string, number>()
  #total: Record<string, number> = {}
  #next = 0
  #hasEnded = false

  constructor({ at }: Started) {
    this.#since.set('', at)
  }

  get steps(): readonly RecordedStep[] {
    if (this.#hasEnded) return this.#closed
    // The step that the run is at, even if it needs no attempt.
    this.#at('', this.#next)
    const open = [...this.#open.values()].map((step) => ({ ...step, ...NOT_CLOSED }))
    return [...this.#closed, ...open]
  }

  read(entry: Entry): void {
    switch (entry.type) {
      case 'started':
        this.#since.set(entry.path, entry.at)
        break
      case 'dropped':
        this.#total = { ...entry.snapshot.spent }
        this.#next = entry.snapshot.seq
        break
      case 'opened':
        addAmounts(this.#at(entry.path, entry.seq).reserved, entry.hold)
        break
      case 'intended':
      case 'settled':
        this.#at(entry.path, entry.seq)
        break
      case 'requested': {
        const { request: id, about, at } = entry
        const { asked } = this.#at(entry.path, entry.seq)
        if (!asked.some((one) => one.id === id))
          asked.push({ id, about, at, reply: null, by: null })
        break
      }
      case 'replied':
        this.#answer(entry)
        break
      case 'closed':
        this.#close(entry)
        break
      case 'resumed':
        addAmounts(this.#total, entry.charged)
        break
      case 'ended':
        if (entry.path === '') this.#hasEnded = true
        break
      case 'cancel-asked':
      case 'bound':
        break
    }
  }

  #at(path: string, seq: number): Open {
    const key = `${path}#${seq}`
    const known = this.#open.get(key)
    if (known !== undefined) return known
    const openedAt = this.#since.get(path) ?? this.#since.get('') ?? 0
    const opened = { path, seq, openedAt, reserved: {}, asked: [] }
    this.#open.set(key, opened)
    return opened
  }

  /** The first reply counts. */
  #answer({ request, reply, by }: Extract<Entry, { type: 'replied' }>): void {
    for (const { asked } of this.#open.values()) {
      const place = asked.findIndex(({ id, reply: known }) => id === request && known === null)
      const one = asked[place]
      if (one !== undefined) asked[place] = { ...one, reply, by: by ?? null }
    }
  }

  #close({ path, seq, at, seen, spent, prompt }: Extract<Entry, { type: 'closed' }>): void {
    const open = this.#at(path, seq)
    this.#open.delete(`${path}#${seq}`)
    this.#since.set(path, at)
    if (path === '') this.#next = seq + 1
    const changed = Object.entries(spent).map(([counter, amount]): [string, number] => [
      counter,
      amount - (this.#total[counter] ?? 0),
    ])
    Object.assign(this.#total, spent)
    this.#closed.push({
      ...open,
      closedAt: at,
      seen,
      spent: Object.fromEntries(changed.filter(([, amount]) => amount !== 0)),
      isFiltered: prompt !== undefined,
    })
  }
}

const NOT_CLOSED = { closedAt: null, seen: null, spent: {}, isFiltered: false }
