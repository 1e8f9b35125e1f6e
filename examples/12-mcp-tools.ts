// Tools of an MCP server: tools that read run, tools that act ask first.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAgent } from 'echelon/chat'
import { asBound, scriptedModel } from 'echelon/testing'
import { connectMcp } from '@echelon/mcp'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'echelon-example-')))
const program = import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')

// The program gets a minimal environment plus `env`, and access to the folder in its arguments.
await using files = await connectMcp(
  { name: 'files', command: process.execPath, args: [fileURLToPath(program), folder] },
  {
    only: ['read_text_file', 'write_file', 'list_directory'],
    onState: (state) => console.log(`files: ${state}`),
  },
)
for (const { name, does, needsApproval } of files.tools) {
  console.log(`${name} ${does}${needsApproval ? ', asks' : ''}`)
}

// A scripted model stands for a real one, which would be shown the tools with their schemas.
const path = join(folder, 'note.txt')
const agent = createAgent({
  model: asBound(
    scriptedModel([
      { toolCalls: [{ tool: 'files_write_file', input: { path, content: 'Buy milk.' } }] },
      { toolCalls: [{ tool: 'files_read_text_file', input: { path } }] },
      'The note says: buy milk.',
    ]),
  ),
  tools: files.tools,
})

const run = agent.run('Note that I have to buy milk.')
for await (const event of run) {
  if (event.type === 'request-open') {
    console.log('may it write? once')
    run.respond(event.request, 'once')
  }
  if (event.type === 'tool-end') console.log(event.call.tool, event.outcome.type)
}
console.log((await run.result).text)
rmSync(folder, { recursive: true })
