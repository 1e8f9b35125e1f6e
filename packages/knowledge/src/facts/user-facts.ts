import { contentWords, type DynamicMemoryStore } from 'echelon/internal/knowledge'
import type { Embedder } from 'echelon/internal/model'
import { EchelonError } from 'echelon/internal/value'
import { CachedVectors } from '../embedders/cached-vectors.ts'
import { hashedEmbedder } from '../embedders/hashed.ts'
import {
  type Fact,
  type FactChange,
  factIn,
  line,
  MOST_ABOUT,
  MOST_FACT,
  MOST_FROM,
  textOf,
} from './fact.ts'
import { nearTexts } from '../embedders/near-texts.ts'
import { readFacts } from './read-facts.ts'

/** Reads what a user's messages say about them, given what is known. */
export type ReadFacts = (
  messages: readonly string[],
  known: readonly Fact[],
) => readonly FactChange[] | Promise<readonly FactChange[]>

export interface UserFactsOptions {
  /** Store of the notes, such as `notes` of a store. */
  readonly store: DynamicMemoryStore
  /** Whose facts they are. */
  readonly user: string
  /** Finds facts by meaning; default `hashedEmbedder()`, which compares words. */
  readonly embedder?: Embedder
  /** Default: rules for English. `factsByModel` reads more. */
  readonly read?: ReadFacts
  /** Facts per user; the oldest give way. Default 200. */
  readonly maxFacts?: number
}

/** The changes that a conversation made. */
export interface Learned {
  readonly added: readonly Fact[]
  readonly changed: readonly { readonly before: Fact; readonly after: Fact }[]
  readonly forgotten: readonly Fact[]
}

/** Facts about one user: learned from what they said, found by meaning and words, and all theirs to edit. */
export class UserFacts {
  readonly #options: UserFactsOptions
  readonly #embedder: CachedVectors

  constructor(options: UserFactsOptions) {
    this.#options = options
    this.#embedder = new CachedVectors(options.embedder ?? hashedEmbedder())
  }

  /** All facts, last changed first. */
  async all(): Promise<readonly Fact[]> {
    const { store } = this.#options
    const notes = await store.find([this.#scope], undefined, Number.MAX_SAFE_INTEGER)
    return notes.filter(({ damaged }) => damaged !== true).map(factIn)
  }

  /** The facts that may matter for a message, best first; none for small talk. */
  async about(text: string, limit = 5): Promise<readonly string[]> {
    return (await this.search(text, limit)).map(({ fact }) => fact)
  }

  /** The facts nearest to a text. */
  async search(text: string, limit = 10): Promise<readonly Fact[]> {
    return await nearTexts(await this.all(), text, {
      embedder: this.#embedder,
      limit,
      textOf: ({ about, fact }) => `${about}: ${fact}`,
    })
  }

  /**
   * Learns from what the user said in a conversation: new facts are added, facts about the same thing
   * replaced, and what the user wants forgotten is deleted.
   * @param key identifies the conversation: learning from it again changes nothing
   */
  async learn(messages: readonly string[], key: string): Promise<Learned> {
    const { read = readFacts } = this.#options
    const changes = await read(messages, await this.all())
    const learned = new LearnedSoFar()
    for (const [nth, change] of changes.entries()) {
      if (change.type === 'forget') {
        for (const fact of await this.#matching(change.what)) {
          await this.forget(fact.id, `${key}#${nth}:${fact.id}`)
          learned.forgotten.push(fact)
        }
        continue
      }
      const before = (await this.all()).find(({ about }) => isSame(about, change.about))
      if (before !== undefined && isSame(before.fact, change.fact)) continue
      if (before === undefined) learned.added.push(await this.#create(change, `${key}#${nth}`))
      else {
        const after = await this.#update(before, change, `${key}#${nth}`)
        learned.changed.push({ before, after })
      }
    }
    await this.#dropOldest(key)
    return learned
  }

  /** Adds a fact by hand, or replaces the one about the same thing. */
  async add(about: string, fact: string, key: string): Promise<Fact> {
    const change = {
      about: named(about, 'about', MOST_ABOUT),
      fact: named(fact, 'fact', MOST_FACT),
    }
    const before = (await this.all()).find((one) => isSame(one.about, change.about))
    const given = { ...change, from: '' }
    return before === undefined
      ? await this.#create(given, key)
      : await this.#update(before, given, key)
  }

  /** @throws EchelonError INVALID_INPUT for an id that is not there */
  async change(id: string, fact: string, key: string): Promise<Fact> {
    const before = (await this.all()).find((one) => one.id === id)
    if (before === undefined) throw notThere(id)
    const given = { about: before.about, fact: named(fact, 'fact', MOST_FACT), from: '' }
    return await this.#update(before, given, key)
  }

  /** @throws EchelonError INVALID_INPUT for an id that is not there */
  async forget(id: string, key: string): Promise<void> {
    const { store } = this.#options
    const done = await store.write({ type: 'delete', scope: this.#scope, id }, key)
    if (done === null) throw notThere(id)
  }

  /** Forgets everything; returns the number of facts. */
  async forgetAll(): Promise<number> {
    return await this.#options.store.erase(this.#scope)
  }

  get #scope(): { readonly kind: 'user'; readonly id: string } {
    return { kind: 'user', id: this.#options.user }
  }

  async #create(given: Pick<Fact, 'about' | 'fact' | 'from'>, key: string): Promise<Fact> {
    const { store } = this.#options
    const { about: title } = given
    const change = {
      type: 'create',
      scope: this.#scope,
      title,
      text: textOf(bounded(given)),
    } as const
    const note = await store.write(change, key)
    if (note === null || note === 'conflict') throw overtaken(title)
    return factIn(note)
  }

  async #update(
    { id, about }: Fact,
    given: Pick<Fact, 'fact' | 'from'>,
    key: string,
  ): Promise<Fact> {
    const { store } = this.#options
    const change = { type: 'update', scope: this.#scope, id, text: textOf(bounded(given)) } as const
    const note = await store.write(change, key)
    if (note === null || note === 'conflict') throw overtaken(about)
    return factIn(note)
  }

  /** The facts that hold all telling words of a text. */
  async #matching(what: string): Promise<readonly Fact[]> {
    const wanted = stemsOf(what)
    if (wanted.length === 0) return []
    return (await this.all()).filter(({ about, fact }) => {
      const held = new Set(stemsOf(`${about} ${fact}`))
      return wanted.every((word) => held.has(word))
    })
  }

  async #dropOldest(key: string): Promise<void> {
    const { maxFacts = 200 } = this.#options
    const oldest = (await this.all()).slice(maxFacts)
    for (const { id } of oldest) await this.forget(id, `${key}#old:${id}`)
  }
}

class LearnedSoFar implements Learned {
  readonly added: Fact[] = []
  readonly changed: { readonly before: Fact; readonly after: Fact }[] = []
  readonly forgotten: Fact[] = []
}

/** "Works" and "work" are the same word. */
const stemsOf = (text: string): readonly string[] =>
  contentWords(text).map((word) =>
    word.length < 4 ? word : word.replace(/(?:ing|ed|es|s|e)$/u, ''),
  )

const isSame = (one: string, other: string): boolean =>
  line(one, MOST_FACT).toLowerCase() === line(other, MOST_FACT).toLowerCase()

const bounded = ({ fact, from }: Pick<Fact, 'fact' | 'from'>): Pick<Fact, 'fact' | 'from'> => ({
  fact: line(fact, MOST_FACT),
  from: line(from, MOST_FROM),
})

function named(text: string, what: string, most: number): string {
  const given = line(text, most + 1)
  if (given !== '' && given.length <= most) return given
  throw new EchelonError('INVALID_INPUT', `give the ${what} as a text of 1 to ${most} characters`)
}

const notThere = (id: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `there is no fact ${line(id, 40)}; list them to see their ids`)

const overtaken = (about: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `the fact about ${about} was changed meanwhile; try again`)
