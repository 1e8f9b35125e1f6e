import { existsSync } from 'node:fs'
import type { AssistantOptions } from '@echelon/assist'
import type { UserFacts } from '@echelon/knowledge'
import type { Config } from 'echelon/config'
import { EchelonError } from 'echelon/runtime'
import { chatTools } from '../chat/chat-tools.ts'
import type { GlobalOptions } from '../configuration.ts'
import type { Io } from '../io.ts'
import { KNOWLEDGE_FILE, knowledgeAt } from '../knowledge/open-knowledge.ts'
import { clean } from '../terminal/clean.ts'
import { factsAt, hasFacts } from '../memory/facts.ts'

interface LookupChoice extends GlobalOptions {
  readonly memory: string
  readonly remember?: true
  readonly tools?: readonly string[]
  /** A knowledge file, an address, or the word database; default: the usual one, if it exists; false for none. */
  readonly knowledge?: string | false
}

/** Options of an assistant for its executor's lookups. Disposing of it closes its files. */
export interface AssistLookups extends AsyncDisposable {
  readonly options: Pick<AssistantOptions, 'knowledge' | 'tools'> & { readonly facts?: UserFacts }
}

/** @throws EchelonError INVALID_INPUT for a missing knowledge file or an unknown tool */
export async function assistLookups(
  io: Io,
  choice: LookupChoice,
  config: Pick<Config, 'settings'>,
): Promise<AssistLookups> {
  await using files = new AsyncDisposableStack()
  const facts =
    choice.remember || hasFacts(choice.memory)
      ? files.use(await factsAt(choice.memory)).facts
      : undefined
  const opened = await knowledgeOf(io, choice)
  if (opened !== undefined) files.use(opened)
  const tools =
    choice.tools === undefined ? [] : (await chatTools({ tools: choice.tools }, config)).tools
  const kept = files.move()
  return {
    options: {
      ...(facts && { facts }),
      ...(opened && { knowledge: opened.base }),
      ...(tools.length > 0 && { tools }),
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function knowledgeOf(io: Io, { knowledge, ...options }: LookupChoice) {
  if (knowledge === false) return undefined
  if (knowledge !== undefined) return await knowledgeAt(io, knowledge, options)
  if (!existsSync(KNOWLEDGE_FILE)) return undefined
  try {
    return await knowledgeAt(io, KNOWLEDGE_FILE, options)
  } catch (error) {
    // The user did not name this file, so the conversation goes on without it.
    if (!(error instanceof EchelonError)) throw error
    io.stderr.write(`echelon: ${clean(error.message)}; nothing is looked up\n`)
    return undefined
  }
}
