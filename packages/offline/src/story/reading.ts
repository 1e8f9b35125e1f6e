import { type Expression, literal, plus } from '../expression.ts'
import { DOLLAR, isTime, type Role, stem, unitNamed } from './lexicon.ts'
import type { Amount, Scene, Unit } from './scene.ts'

const PRONOUN = /^(?:he|she|it|they|we|i|you)$/

/** State while reading a text: the actor, the last verb's role, and the findings. */
export class StoryParser {
  readonly scene: Scene
  /** Whether this is the question itself, whose numbers are asked about. */
  readonly isQuestion: boolean
  /** Stem of the last actor. */
  owner = ''
  /** The role of the last verb, while it may still govern what follows. */
  role: Role | undefined
  /** Words since the last verb or boundary: the next verb's subject. */
  waiting: string[] = []
  /** The last named non-subject: "than her cousin, who …". */
  named = ''
  /** The unit of time of an "every day" in this sentence. */
  every = ''
  readonly #numbers: readonly Expression[]
  /** Index in `scene.amounts` of this sentence's first amount. */
  #sentence = 0
  #deed = ''
  /** Whether there was no verb since the last boundary. */
  #fresh = true

  constructor(scene: Scene, numbers: readonly Expression[], isQuestion: boolean) {
    this.scene = scene
    this.isQuestion = isQuestion
    this.#numbers = numbers
  }

  number(mark: string | undefined): Expression {
    return this.#numbers[Number(mark)] ?? literal('0')
  }

  /** The last counted thing, except money and time. */
  get lastThing(): Unit | undefined {
    const counted = this.scene.amounts.findLast(
      ({ unit, role }) => unit.name !== DOLLAR && unit.name !== '' && role !== 'span',
    )
    return (counted ?? this.scene.rates.findLast(({ implicit }) => implicit))?.unit
  }

  /** After "and" or a comma, where a list continues. */
  get inList(): boolean {
    return this.#fresh && this.waiting.length === 0 && this.role !== undefined
  }

  /** A word that may become the next verb's subject; a new clause needs its own verb. */
  subject(word: string): boolean {
    this.waiting.push(word)
    if (this.#fresh) this.role = undefined
    return true
  }

  verb(role: Role, written: string = role): boolean {
    const subject = this.waiting.at(-1)
    if (subject !== undefined && !PRONOUN.test(subject)) this.owner = stem(subject)
    this.waiting = []
    this.#fresh = false
    this.role = role
    this.#deed = written
    return true
  }

  /** "Ann and Bob have": they; "has 3 and buys 4": the same one. */
  boundary(joint: string): boolean {
    const joined = joint === 'and' && this.#fresh && this.waiting.length > 0
    this.waiting = joined ? ['they'] : []
    if (joined) this.owner = ''
    this.#fresh = true
    return true
  }

  sentenceEnds(): boolean {
    if (this.every !== '') this.#makeRate(this.every)
    this.#sentence = this.scene.amounts.length
    this.every = ''
    this.waiting = []
    this.#fresh = true
    this.role = undefined
    return true
  }

  /** False if no verb gives the amount a role. */
  amount(value: Expression, unit: Unit, role: Amount['role'] | undefined = this.#object): boolean {
    if (isTime(unit.name) && role !== 'end') return this.#add(value, unit, 'span')
    if (this.isQuestion) return this.#add(value, unit, 'asked')
    if (role === undefined) return false
    if (role === 'give') return this.#given(value, unit)
    return this.#add(value, unit, role)
  }

  age(value: Expression): boolean {
    return this.#add(value, unitNamed('year'), 'have')
  }

  rate(value: Expression, unit: Unit, per: Unit, implicit = false): boolean {
    const role = this.role === undefined || this.role === 'give' ? 'have' : this.role
    this.scene.rates.push({ unit, per, value, role, implicit })
    return true
  }

  /** A price of so many dollars each. */
  price(value: Expression, per: Unit): boolean {
    return this.rate(value, unitNamed(DOLLAR), per)
  }

  /** Takes "a class has 28 students" as one class once the text says "them". */
  assume(): void {
    const { amounts, rates } = this.scene
    for (const { unit, value, role, per } of rates.filter(({ implicit }) => implicit)) {
      amounts.push({ unit, value, role, owner: per.name, deed: role })
    }
    rates.splice(0, rates.length, ...rates.filter(({ implicit }) => !implicit))
  }

  /** The effect of the verb on its object: a bill that is shared exists from the start. */
  get #object(): Role | undefined {
    return this.role === 'share' ? 'have' : this.role
  }

  #add(value: Expression, unit: Unit, role: Amount['role']): boolean {
    this.scene.amounts.push({ unit, value, role, owner: this.owner, deed: this.#deed })
    return true
  }

  /** Giving subtracts from an owner; a gift from someone else adds to the only owner's amount. */
  #given(value: Expression, unit: Unit): boolean {
    const owners = new Set(this.scene.amounts.map(({ owner }) => owner))
    if (owners.size === 0 || owners.has(this.owner)) return this.#add(value, unit, 'lose')
    const [receiver, ...others] = owners
    if (receiver === undefined || others.length > 0) return false
    this.scene.amounts.push({ unit, value, role: 'gain', owner: receiver, deed: 'get' })
    return true
  }

  /** "Walks 2 miles there and 2 miles back every day": the sentence's sum is per day. */
  #makeRate(time: string): void {
    const [first, ...others] = this.scene.amounts.splice(this.#sentence)
    if (first === undefined || !others.every((one) => one.unit.name === first.unit.name)) return
    const sum = others.reduce((total, { value }) => plus(total, value), first.value)
    this.role =
      first.role === 'have' || first.role === 'lose' || first.role === 'gain' ? first.role : 'do'
    this.rate(sum, first.unit, unitNamed(time))
  }
}
