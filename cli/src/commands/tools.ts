import { Command } from 'commander'
import { standardTools } from 'echelon/tools'
import pc from 'picocolors'

/** `echelon tools`: what an agent can call. */
export function toolsCommand(): Command {
  return new Command('tools')
    .description('list the tools that a plan may use')
    .option('--json', 'print them as JSON, with the schema of their arguments')
    .action(async ({ json }: { json?: true }) => {
      const tools = await standardTools()
      const shown = tools.map(({ name, description, jsonSchema, timeoutMs, does }) => ({
        name,
        description,
        does,
        timeout_ms: timeoutMs,
        args: jsonSchema,
      }))
      if (json) process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`)
      else
        for (const { name, description } of shown) console.log(`${pc.bold(name)}\n  ${description}`)
    })
}
