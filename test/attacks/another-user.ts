import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { plainEnvironment, type Ran } from '../../cli/src/testing/run-command.ts'

/** Root may read and write every file, so commands that must be refused run as another user. */
export const NOBODY = 65_534

export const isRoot: boolean = process.getuid?.() === 0

/** A process of a user without rights, which runs one command after another. */
export class AnotherUser {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /** @returns undefined if that user may not read the code here */
  static async start(): Promise<AnotherUser | undefined> {
    const child = fork(join(import.meta.dirname, 'another-user/commands.ts'), {
      execArgv: ['--conditions=echelon-source'],
      cwd: '/',
      env: plainEnvironment(),
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    })
    // Discards Node's message about code that it may not read.
    child.stderr?.resume()
    const isReady = await Promise.race([
      once(child, 'message').then(() => true),
      once(child, 'exit').then(() => false),
    ])
    return isReady ? new AnotherUser(child) : undefined
  }

  /** Runs the command in a folder that is the user's home, too. */
  async run(folder: string, args: readonly string[]): Promise<Ran> {
    const env = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'own'), TMPDIR: folder }
    this.#child.send({ args, folder, env })
    const [ran] = await once(this.#child, 'message', { signal: AbortSignal.timeout(60_000) })
    return ran
  }

  stop(): void {
    this.#child.kill()
  }
}
