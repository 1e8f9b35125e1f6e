import type { Intent, MemoryFolder } from '@echelon/assist'
import type { IntentView, KeptIntent } from 'echelon/client'
import type { IntentKeeper } from '@echelon/server'

/** The intents in the users' folders, for the server's API: only a user's own request changes one. */
export const keptIntents = (folderOf: (user: string) => MemoryFolder): IntentKeeper => ({
  read: (user) => keptIn(folderOf(user)),
  async write(user, intent, ifVersion) {
    const folder = folderOf(user)
    const ifText = await folder.intentText()
    const { version } = await folder.read('intent')
    if (ifVersion !== undefined && ifVersion !== version) return 'conflict'
    await folder.setIntent(intentOf(intent), { ifText })
    return keptIn(folder)
  },
})

async function keptIn(folder: MemoryFolder): Promise<KeptIntent> {
  const { version } = await folder.read('intent')
  return { intent: await folder.intent(), version }
}

const intentOf = ({ patterns, ...intent }: IntentView): Intent =>
  patterns === undefined ? intent : { ...intent, patterns }
