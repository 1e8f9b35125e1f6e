import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { EchelonError, type Wall, wallHere, type WallMode } from 'echelon/runtime'
import { type Skill, type SkillProblem, skillsFrom } from '@echelon/knowledge/skills'
import pc from 'picocolors'
import { clean } from '../terminal/clean.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { describeWall } from '../wall.ts'
import { STARTED_AS } from '../started-as.ts'
import { type Io, printLine } from '../io.ts'

const AFTERWORD = `
A skill is a folder with a SKILL.md (agentskills.io); ${STARTED_AS} chat --skills FOLDER uses them.

Exit status: 0 all can be used, 1 one cannot, 2 bad usage.`

interface ListOptions {
  readonly json?: true
  readonly wall?: WallMode
}

/** `echelon skills list [FOLDER]`: lists the skills that an agent could open. */
export function skillsCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  return new Command('skills')
    .description('list skills: instructions and files that an agent opens when it needs them')
    .addCommand(
      new Command('list')
        .description('list the skills in folders, with any errors in them')
        .argument('[folders...]', 'a skill, or a folder of skills; default: skills')
        .option('--json', 'print them as JSON')
        .addHelpText('after', AFTERWORD)
        .action(async (folders: readonly string[], _: unknown, command: Command) => {
          const { json, wall: mode } = command.optsWithGlobals<ListOptions>()
          const problems: SkillProblem[] = []
          const skills = await skillsFrom(folders.length === 0 ? defaultFolder() : folders, {
            onProblem: (problem) => problems.push(problem),
          })
          const wall = mode === 'off' ? undefined : await wallHere()
          if (json) printJson(io, skills, problems, wall)
          else print(io, skills, problems, wall)
          finish(problems.length === 0 ? EXIT.success : EXIT.unverified)
        }),
    )
}

/** Default folder of skills. @throws EchelonError INVALID_INPUT if it does not exist */
function defaultFolder(): string {
  if (existsSync(DEFAULT_FOLDER)) return DEFAULT_FOLDER
  throw new EchelonError(
    'INVALID_INPUT',
    `the default folder ${DEFAULT_FOLDER} is not here; name another: ${STARTED_AS} skills list FOLDER`,
  )
}

const DEFAULT_FOLDER = 'skills'

type Listing = readonly [
  skills: readonly Skill[],
  problems: readonly SkillProblem[],
  wall: Wall | undefined,
]

function printJson(io: Io, ...[skills, problems, wall]: Listing): void {
  const shown = skills.map(
    ({ name, description, license, compatibility, metadata, allowedTools, files, folder }) => ({
      name,
      description,
      license,
      compatibility,
      metadata,
      allowed_tools: allowedTools,
      files,
      folder,
    }),
  )
  const around = wall === undefined ? null : { name: wall.name, holds: wall.holds }
  const listed = { skills: shown, problems, wall: around }
  io.stdout.write(`${JSON.stringify(listed, null, 2)}\n`)
}

function print(io: Io, ...[skills, problems, wall]: Listing): void {
  for (const { name, description, compatibility, files } of skills) {
    printLine(io, `${pc.bold(name)}\n  ${clean(description)}`)
    if (compatibility !== undefined) printLine(io, pc.dim(`  needs: ${clean(compatibility)}`))
    for (const file of files) printLine(io, pc.dim(`  ${clean(file)}`))
  }
  const isRun = skills.some(({ files }) => files.some((file) => file.startsWith('scripts/')))
  if (isRun) printLine(io, describeWall(wall))
  for (const { message } of problems) printLine(io, `${pc.red('✗')} ${clean(message)}`)
}
