import type { RunSummary } from 'echelon/internal/store'
import { mayUse, type Principal } from '../access/principal.ts'
import type { ServedAgent } from '../agents/served-agent.ts'
import { notFound } from '../http/problem.ts'
import { servedAs } from './owner.ts'

/** The agents of a server: by name for a user, and by run. */
export class ServedAgents {
  readonly #byName: ReadonlyMap<string, ServedAgent>

  constructor(agents: readonly ServedAgent[]) {
    this.#byName = new Map(agents.map((agent) => [agent.name, agent]))
  }

  get all(): readonly ServedAgent[] {
    return [...this.#byName.values()]
  }

  /** The agents that a user may use. */
  of(principal: Principal): readonly ServedAgent[] {
    return this.all.filter(({ name }) => mayUse(principal, name))
  }

  /** @throws HttpProblem 404 for an unknown agent, and for one that the user may not use */
  named(name: string, principal: Principal): ServedAgent {
    const agent = this.#byName.get(name)
    if (agent === undefined || !mayUse(principal, name)) throw notFound(`agent ${name}`)
    return agent
  }

  /** The agent that a run was started with here, or else the first one whose runs have the name. */
  ofRun(run: RunSummary): ServedAgent | undefined {
    const served = this.#byName.get(servedAs(run) ?? '')
    if (served?.definition === run.agent) return served
    return this.all.find(({ definition }) => definition === run.agent)
  }

  /** Whether other processes perform the run. */
  isElsewhere(run: RunSummary): boolean {
    return this.ofRun(run)?.isElsewhere === true
  }

  /** Whether a run was started by a server with an agent that is served here and can resume it. */
  mayResume(run: RunSummary): boolean {
    const agent = this.#byName.get(servedAs(run) ?? '')
    const isHere = agent?.resume !== undefined && agent.isElsewhere !== true
    return isHere && agent.definition === run.agent
  }
}
