/** Runs the commands that it is sent, one after another, and sends back what each wrote. */
import { runCommand } from '../../../cli/src/testing/run-command.ts'

interface Sent {
  readonly args: readonly string[]
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

process.on('message', ({ args, folder, env }: Sent) => {
  void runCommand(args, folder, { env }).then((ran) => process.send?.(ran))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
