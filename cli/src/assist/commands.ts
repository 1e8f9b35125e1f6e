import { type Commands, withCommonCommands } from '../conversation/commands.ts'
import { memoryCommand } from '../memory/memory-command.ts'
import { STARTED_AS } from '../started-as.ts'
import { describeIntent, describePlan, describeWhy } from './describe.ts'
import type { AssistTalk } from './talk.ts'

/** The slash commands of the assistant. */
export const ASSIST_COMMANDS: Commands<AssistTalk> = withCommonCommands<AssistTalk>({
  intent: {
    does: 'show what you want of the assistant, which outranks all else',
    async run({ memory }) {
      const how = `${STARTED_AS} intent edit changes it; it holds from the next turn on`
      return `${describeIntent(await memory.intent())}\n${how}`
    },
  },
  plan: {
    does: 'show how it goes about answering, and why that changed',
    async run({ last, memory }) {
      const { current_plan, revision_history } = await memory.plans()
      return describePlan(last?.plan ?? current_plan, revision_history)
    },
  },
  why: {
    does: 'say which layer decided what in the last turn, on what evidence',
    run: ({ last }) => (last === undefined ? 'nothing was said yet' : describeWhy(last)),
  },
  memory: memoryCommand,
  stop: { does: 'end; the conversation is not kept', ends: true },
})
