import { randomUUID } from 'node:crypto'
import type { UserFacts } from '@echelon/knowledge'
import { EchelonError } from 'echelon/runtime'
import type { Command } from '../conversation/commands.ts'
import { STARTED_AS } from '../started-as.ts'
import { clean } from '../terminal/clean.ts'
import { describeFact } from './facts.ts'

/** `/memory` in a conversation: shows, finds and changes what is remembered about the user. */
export const memoryCommand: Command<{ readonly facts: UserFacts | undefined }> = {
  takes: '[search WORDS | change ID FACT | forget ID]',
  does: 'show, find and change what is remembered about you',
  async run({ facts }, rest) {
    const { verb = '', what = '' } = /^(?<verb>\S+)\s*(?<what>[^]*)$/u.exec(rest)?.groups ?? {}
    if (facts === undefined) return `nothing is remembered; --remember ${LEARNS}`
    switch (verb) {
      case '':
        return await listed(facts)
      case 'search': {
        const found = await facts.search(what)
        return found.length === 0 ? NOTHING_FOUND : found.map(describeFact).join('\n')
      }
      case 'change': {
        const { id = '', fact = '' } = /^(?<id>\S+)\s+(?<fact>[^]+)$/u.exec(what)?.groups ?? {}
        if (fact === '')
          throw usage('/memory change takes an id and the fact, as in n1 by the window')
        return describeFact(await facts.change(id, fact, randomUUID()))
      }
      case 'forget': {
        if (what === '') throw usage('/memory forget takes the id of a fact, such as n1')
        await facts.forget(what, randomUUID())
        return `${clean(what)} is forgotten`
      }
      default:
        throw usage('/memory takes search, change or forget; alone it shows everything')
    }
  },
}

const LEARNS = 'learns from what you say'
const NOTHING_FOUND = 'nothing like that is remembered'

async function listed(facts: UserFacts): Promise<string> {
  const all = await facts.all()
  if (all.length === 0) return `nothing is remembered so far; --remember ${LEARNS}`
  const how = `/memory change and /memory forget change it, and so does ${STARTED_AS} memory`
  return [...all.map(describeFact), how].join('\n')
}

const usage = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
