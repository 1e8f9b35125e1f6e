import { EchelonError } from 'echelon/runtime'
import { type Commands, withCommonCommands } from '../conversation/commands.ts'
import { retold } from '../conversation/own-words.ts'
import { memoryCommand } from '../memory/memory-command.ts'
import { quoted, STARTED_AS } from '../started-as.ts'
import { clean, widthOf } from '../terminal/clean.ts'
import { conversationsOf, describeConversations } from './conversations.ts'
import { wordsOf } from './said.ts'
import { saveSession } from './session-file.ts'
import type { Talk } from './talk.ts'
import { describeTook } from './took.ts'

/** The slash commands of a chat. */
export const CHAT_COMMANDS: Commands<Talk> = withCommonCommands<Talk>({
  switch: {
    takes: 'provider/model [url]',
    does: 'answer with another model from now on',
    run: switchModel,
  },
  model: { does: 'show which model answers', run: ({ agent }) => agent.model ?? 'none yet' },
  cost: {
    does: 'show tokens and cost of the last turn and of this chat',
    run: ({ took }) => describeTook(took),
  },
  undo: { does: 'undo the last turn', run: undo },
  tools: { does: 'list the tools', run: listTools },
  save: {
    takes: 'FILE',
    does: 'save the conversation to a file for --resume',
    run({ session, agent, baseUrl }, path) {
      saveSession(path, session, agent.model)
      const server = baseUrl === undefined ? '' : ` --base-url ${quoted(baseUrl)}`
      return `kept in ${path}; ${STARTED_AS} chat --resume ${quoted(path)}${server} goes on with it`
    },
  },
  clear: {
    does: 'start a new conversation',
    async run(talk) {
      await talk.clear()
      return 'a new conversation; what was said before is forgotten'
    },
  },
  memory: memoryCommand,
  conversations: { does: 'list the stored conversations', run: listConversations },
})

async function switchModel(talk: Talk, rest: string): Promise<string> {
  const { agent } = talk
  const [name = '', baseUrl] = rest.split(/\s+/)
  const [provider = '', ...model] = name.split('/')
  if (provider === '' || model.join('/') === '') {
    throw new EchelonError(
      'INVALID_INPUT',
      `/switch takes a model as provider/model; ${agent.model ?? 'none'} answers`,
    )
  }
  try {
    await talk.switch(baseUrl === undefined ? name : { provider, model: model.join('/'), baseUrl })
  } catch (error) {
    if (!(error instanceof EchelonError) || !error.message.includes('pass --base-url')) throw error
    throw retold(
      error,
      `${provider} needs a server; write /switch ${name} http://…, with the address of yours`,
    )
  }
  talk.baseUrl = baseUrl
  return `${agent.model ?? name} answers from now on`
}

function undo(talk: Talk): string {
  const { session, isResumed } = talk
  const asked = session.messages.findLast(({ role }) => role === 'user')
  if (!talk.undo()) {
    if (asked === undefined) return 'there is no turn to take back'
    return isResumed
      ? 'turns from before this chat cannot be taken back'
      : 'turns further back cannot be taken back'
  }
  const what = asked === undefined ? '' : `: ${clean(wordsOf(asked))}`
  return `the last turn is taken back${what}`
}

async function listConversations({
  io,
  speaker: { store, agent },
  session,
}: Talk): Promise<string> {
  if (store === undefined) return 'no conversation is kept in this chat'
  const columns = widthOf(io.stdout, 80)
  return describeConversations(await conversationsOf(store, agent.name), {
    here: session.id,
    columns,
  })
}

function listTools({ speaker }: Talk): string {
  const { tools } = speaker
  if (tools.length === 0) return 'there are no tools in this chat'
  const width = Math.max(...tools.map(({ name }) => name.length))
  return tools
    .map((tool) => {
      const asks = speaker.isAsked(tool) ? ' (asks first)' : ''
      return `${tool.name.padEnd(width)}  ${firstSentence(tool.description)}${asks}`
    })
    .join('\n')
}

const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text
