/** Skills: instructions and tools that a model opens when it needs them. */
export type { Command, WallMode } from 'echelon/internal/platform'
export { childProcessScripts, type ChildProcessOptions } from './skills/child-process-scripts.ts'
export type { SkillScript, SkillScripts } from './skills/scripts.ts'
export { defineSkill, type Skill, type SkillSpec } from './skills/skill.ts'
export { skillsFrom, type SkillProblem, type SkillsFromOptions } from './skills/skills-from.ts'
export { skills, type SkillsOptions, type SkillsState } from './skills/skills.ts'
