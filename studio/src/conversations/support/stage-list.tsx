import { Text, Timeline } from '@mantine/core'
import type { Stage } from './stages.ts'

/** The stages from the message to the answer. */
export const StageList = ({ stages }: { readonly stages: readonly Stage[] }) => (
  <Timeline bulletSize={14} lineWidth={2} active={stages.length} color="teal">
    {stages.map(({ key, title, told, isBad }) => (
      <Timeline.Item key={key} title={title} {...(isBad && { color: 'orange' })}>
        <Text size="sm" c="dimmed">
          {told}
        </Text>
      </Timeline.Item>
    ))}
  </Timeline>
)
