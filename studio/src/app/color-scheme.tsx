import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconMoon, IconSun } from '@tabler/icons-react'

/** Switches between light and dark. Until then the page is as the system says. */
export function ColorScheme() {
  const { setColorScheme } = useMantineColorScheme()
  const now = useComputedColorScheme('light')
  const other = now === 'dark' ? 'light' : 'dark'
  const turn = (): void => setColorScheme(other)
  useHotkeys([['mod+J', turn]])
  const label = `Use the ${other} colors`
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="lg" onClick={turn} aria-label={label}>
        {now === 'dark' ? <IconSun size={18} stroke={1.6} /> : <IconMoon size={18} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  )
}
