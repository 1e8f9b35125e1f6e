import type { Entry } from 'echelon/runtime'
import { artifactsOfEntries } from './artifacts-of-entries.ts'

/** Whether an entry changes nothing but the journal. */
export function isPlain(entry: Entry): boolean {
  switch (entry.type) {
    case 'opened':
    case 'intended':
    case 'bound':
      return true
    case 'closed':
    case 'settled':
      return artifactsOfEntries([entry]).length === 0
    case 'started':
    case 'ended':
      return entry.path !== ''
    case 'resumed':
      return entry.path !== undefined
    case 'requested':
    case 'replied':
    case 'cancel-asked':
    case 'dropped':
      return false
  }
}
