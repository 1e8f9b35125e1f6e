import { Command } from 'commander'
import { createRegistry, standardProviders } from 'echelon/providers'
import pc from 'picocolors'
import { type Io, printLine } from '../io.ts'

/** `echelon providers`: lists the model providers. */
export function providersCommand(io: Io): Command {
  return new Command('providers')
    .description('list the model providers')
    .option('--json', 'print them as JSON')
    .action(async ({ json }: { json?: true }) => {
      const providers = await createRegistry(standardProviders).list()
      if (json) {
        io.stdout.write(`${JSON.stringify(providers, null, 2)}\n`)
        return
      }
      for (const { key, summary, models } of providers) {
        printLine(io, `${pc.bold(key)}\n  ${summary}`)
        const names =
          models.length > 0 ? models.map((model) => `${key}/${model}`) : [`${key}/<model>`]
        printLine(io, pc.dim(`  ${names.join(', ')}`))
      }
    })
}
