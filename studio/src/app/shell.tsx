import { AppShell, Burger, Group, Text } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSignedOut } from '../api/sign-in-state.ts'
import { Away } from './away.tsx'
import { ColorScheme } from './color-scheme.tsx'
import { Mark } from './mark.tsx'
import { Nav } from './nav.tsx'
import classes from './shell.module.css'
import { SignIn } from './sign-in.tsx'
import { SignOut } from './sign-out.tsx'

const MAIN = 'main'

/** The frame of every view: navigation beside it, or in a drawer on a phone. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure()
  const signedOut = useSignedOut()
  const navigate = useNavigate()
  useHotkeys([
    ['alt+1', () => void navigate({ to: '/' })],
    ['alt+2', () => void navigate({ to: '/runs' })],
    ['alt+3', () => void navigate({ to: '/conversations' })],
    ['alt+4', () => void navigate({ to: '/approvals' })],
    ['Escape', close],
  ])
  useFocusOnNewView()
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 212, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className={classes['skip']} href={`#${MAIN}`}>
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? 'Close the menu' : 'Open the menu'}
            aria-expanded={opened}
          />
          <Link to="/" className={classes['brand']} aria-label="Echelon Studio, home">
            <Mark />
            <Text fw={650} span>
              Echelon{' '}
              <Text span c="dimmed" fw={450} inherit>
                Studio
              </Text>
            </Text>
          </Link>
          <SignOut />
          <ColorScheme />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        component="nav"
        aria-label="Views"
        className={classes['nav']}
        data-opened={opened}
      >
        <Nav onGo={close} />
      </AppShell.Navbar>
      <AppShell.Main id={MAIN} tabIndex={-1} className={classes['main']}>
        <Away />
        {signedOut ? <SignIn /> : <Outlet />}
      </AppShell.Main>
    </AppShell>
  )
}

/** A screen reader tells of a new view when its title takes the focus. */
function useFocusOnNewView(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    // Not at the first view: the browser tells of the page.
    if (path !== undefined && document.activeElement !== document.body) {
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    }
  }, [path])
}
