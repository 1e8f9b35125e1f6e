import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider'
import type { Schema } from '../../../packages/echelon/src/core/schema/schema.ts'
import type { Layer } from '../../../packages/echelon/src/core/extension/middleware.ts'
import type { Tracing } from '../../../packages/echelon/src/core/observability/tracing.ts'
import { z } from 'zod'
import type { Agent, Session } from '../../../packages/echelon/src/chat.ts'

/** A tool, before it is put into the words of whoever is measured. */
export interface BenchTool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject<{ a: z.ZodNumber; b: z.ZodNumber }> & Schema<Sum>
  readonly run: (input: Sum) => number | Promise<number>
  readonly seen: { calls: number }
}

interface Sum {
  readonly a: number
  readonly b: number
}

/** What everybody is measured on: the same model object and the same tool. */
export interface Setup {
  readonly model: LanguageModelV4
  readonly tool: BenchTool
  /** What was said before; default nothing. */
  readonly history?: readonly LanguageModelV4Message[]
  /** What runs are given in turn in place of a text: whole conversations, each parsed by itself. */
  readonly given?: Rounds<readonly LanguageModelV4Message[]>
}

/** An agent of whoever is measured, ready to be run. */
export interface Runner {
  /** One turn to its end; the answer. */
  run(text: string): Promise<string>
  /** One turn, watched; how many pieces of text came. */
  stream(text: string): Promise<number>
}

export interface Contestant {
  readonly name: 'bare' | 'ai' | 'echelon'
  prepare(setup: Setup): Runner
}

/** Gives new agents that share their model and their tool. */
export type MakesAgents<Made extends object> = (setup: Setup) => () => Made

/** What only Echelon is asked for. */
export interface EchelonContestant extends Contestant {
  readonly name: 'echelon'
  prepare(setup: Setup & { readonly layers?: readonly Layer[]; readonly tracing?: Tracing }): Runner
  /** Bytes of a run's journal, as JSON. */
  journalBytes(setup: Setup): Promise<number>
  readonly agents: MakesAgents<Agent>
  /** Gives new sessions of one agent, each after one turn. */
  sessions(setup: Setup): () => Promise<Session>
  /** Switches an agent's provider to and fro. */
  switching(setup: Setup): () => Promise<void>
}

/** Adds two numbers: at once, or after so many milliseconds. */
export function adder(ms?: number): BenchTool {
  const seen = { calls: 0 }
  const input = z.object({ a: z.number(), b: z.number() })
  // No time at all is a promise all the same: what waits for it is the same code.
  const wait = (sum: number): Promise<number> =>
    ms === 0 ? Promise.resolve(sum) : new Promise((resolve) => setTimeout(() => resolve(sum), ms))
  return {
    name: 'add',
    description: 'Adds two numbers.',
    input,
    seen,
    run: ({ a, b }) => {
      seen.calls++
      return ms === undefined ? a + b : wait(a + b)
    },
  }
}

/** Gives one after the other, and begins again after the last. */
export class Rounds<Item> {
  readonly #items: readonly [Item, ...Item[]]
  #next = 0

  constructor(items: readonly [Item, ...Item[]]) {
    this.#items = items
  }

  /** The same in another form, made now. */
  map<Other>(change: (item: Item) => Other): Rounds<Other> {
    const [first, ...others] = this.#items
    return new Rounds([change(first), ...others.map(change)])
  }

  next(): Item {
    this.#next = (this.#next + 1) % this.#items.length
    return this.#items[this.#next] ?? this.#items[0]
  }
}

/** How many conversations a server is given in turn: more than processors keep at hand. */
const CLIENTS = 32

/**
 * A conversation as clients send it to a server that keeps nothing: each is parsed by itself, before
 * anything is timed. Nobody measured remembers a message it was given before.
 */
export function clients(messages: number): Rounds<readonly LanguageModelV4Message[]> {
  const asked = { role: 'user', content: [{ type: 'text', text: 'go' }] }
  const sent = JSON.stringify([...conversation(messages), asked])
  const parsed = (): readonly LanguageModelV4Message[] => JSON.parse(sent)
  return new Rounds([parsed(), ...Array.from({ length: CLIENTS - 1 }, parsed)])
}

/** Such a conversation as a chat has: question, answer, question. */
export const conversation = (messages: number): readonly LanguageModelV4Message[] =>
  Array.from({ length: messages }, (_, index): LanguageModelV4Message => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `message ${index}` }],
  }))
