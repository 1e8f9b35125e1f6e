// A custom provider: a service with its own protocol, called by name like any other.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { EchelonError } from 'echelon'
import { createAgent } from 'echelon/chat'
import { createRegistry, type Provider, standardProviders } from 'echelon/providers'
import { modelContract, promptText, providerContract } from 'echelon/testing'

// The service: it takes a text, and answers with another.
const server = createServer((request, response) => {
  void text(request).then((said) => response.end(`You said ${said.length} characters.`))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = Object(server.address())
const url = `http://127.0.0.1:${port}`

/** The model that the runtime calls. A streaming service would pass its pieces on. */
function echoModel(modelId: string, url: string): LanguageModelV4 {
  const doGenerate: LanguageModelV4['doGenerate'] = async (options) => {
    const { abortSignal: signal = null } = options
    const response = await fetch(url, { method: 'POST', body: promptText(options), signal })
    const answer = await response.text()
    const total = answer.length
    const inputTokens = { total, noCache: total, cacheRead: 0, cacheWrite: 0 }
    const usage = { inputTokens, outputTokens: { total, text: total, reasoning: 0 } }
    const finishReason = { unified: 'stop', raw: 'done' } as const
    return { content: [{ type: 'text', text: answer }], usage, finishReason, warnings: [] }
  }
  const doStream: LanguageModelV4['doStream'] = async (options) => {
    const { content, usage, finishReason } = await doGenerate(options)
    const delta = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const opened = { type: 'text-start', id: '1' } as const
    const said = { type: 'text-delta', id: '1', delta } as const
    const closed = { type: 'text-end', id: '1' } as const
    const finish = { type: 'finish', usage, finishReason } as const
    return { stream: ReadableStream.from([opened, said, closed, finish]) }
  }
  const own = { provider: 'echo', modelId, supportedUrls: {} }
  return { specificationVersion: 'v4', ...own, doGenerate, doStream }
}

const echo: Provider = {
  key: 'echo',
  summary: 'says how much was said',
  models: ['counter'],
  async load(id, { baseUrl = url }) {
    if (id !== 'counter') throw new EchelonError('UNKNOWN_MODEL', `echo has no ${id}; use counter`)
    return { id: `echo/${id}`, model: echoModel(id, baseUrl), price: () => 0 }
  },
}
const registry = createRegistry(standardProviders)
registry.register(echo)
console.log((await createAgent({ model: 'echo/counter', registry }).run('Hello!').result).text)

const rules = providerContract(() => echo, { model: 'counter', unknown: 'other' })
for (const { holds } of [...rules, ...modelContract(() => echoModel('m', url))]) await holds()
server.close()
