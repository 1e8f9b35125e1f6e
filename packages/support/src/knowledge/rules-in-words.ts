import { fill } from '../wording/fill.ts'
import type { PolicyRules } from '../policy/rule.ts'
import type { Section } from './section.ts'

/** What the rules in force say of themselves, as sections that answer questions. */
export const passagesOfRules = ({ rules, constants, mode }: PolicyRules): readonly Section[] =>
  mode === 'shadow'
    ? []
    : rules.flatMap(({ id, says, mode: own }) =>
        typeof says !== 'string' || own === 'shadow'
          ? []
          : [
              {
                title: id.replaceAll('-', ' '),
                asked: [],
                text: fill(says, constants),
                source: `our rules, ${id}`,
              },
            ],
      )
