import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import type { Me } from '../api/types.ts';
import { may } from '../parts/unless.tsx';
import { ASKED, pathOf } from '../paths.ts';
import { counted } from '../words/numbers.ts';
import { commandsLike } from './commands.ts';
import { type Choice, type Group, groupsOf, isQuestion } from './listing.ts';
import { useFound } from './use-found.ts';
import './palette.css';

const askChoice = (typed: string, user: string | undefined): Choice => ({
  id: 'ask',
  title: `Ask: ${typed}`,
  detail: user === undefined ? 'all that the key may read; billed' : `the memory of ${user}; billed`,
  to: pathOf('/ask', { q: typed, user }),
  state: ASKED,
});

const Option = ({
  choice,
  id,
  isActive,
  onChoose,
  onPoint,
}: {
  choice: Choice;
  id: string;
  isActive: boolean;
  onChoose: () => void;
  onPoint: () => void;
}) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field, which moves through the options
  // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option instead
  <div
    id={id}
    role="option"
    aria-selected={isActive}
    className="option"
    onClick={onChoose}
    onMouseMove={() => isActive || onPoint()}
  >
    <bdi className="title">{choice.title}</bdi>
    <bdi className="muted">{choice.detail}</bdi>
  </div>
);

/** One search over pages, commands, users, conversations, turns, facts and names. */
export const Palette = ({
  me,
  onClose,
  signOut,
}: {
  me: Me | undefined;
  onClose: () => void;
  signOut: () => void;
}) => {
  const list = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [, go] = useLocation();
  const user = new URLSearchParams(useSearch()).get('user') ?? undefined;
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const mayRead = me !== undefined && may(me, 'memory:read');
  const { found, failed, loading } = useFound(typed, mayRead);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  /** Closes the dialog before it is removed, which returns the focus to where it was. */
  const end = (): void => {
    dialog.current?.close();
    onClose();
  };

  const groups = useMemo((): Group[] => {
    const text = typed.trim();
    const ask: Group[] = text === '' || !mayRead ? [] : [{ name: 'Ask', choices: [askChoice(text, user)] }];
    const pages: Group[] = [{ name: 'Pages and commands', choices: commandsLike(text, { user, signOut }) }];
    const others = [...pages.filter(({ choices }) => choices.length > 0), ...groupsOf(found)];
    return isQuestion(text) ? [...ask, ...others] : [...others, ...ask];
  }, [typed, user, found, mayRead, signOut]);
  const choices = groups.flatMap(group => group.choices);
  const at = Math.min(active, choices.length - 1);
  const optionId = (choice: Choice): string => `${list}-${choices.indexOf(choice)}`;

  const choose = (choice: Choice | undefined): void => {
    if (!choice) return;
    end();
    if (choice.to === undefined) choice.act?.();
    else go(choice.to, choice.state ? { state: choice.state } : {});
  };
  const move = (to: number): void => {
    const next = (to + choices.length) % choices.length;
    setActive(next);
    document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0 && choices.length > 0) {
      event.preventDefault();
      move(at + by);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(choices[at]);
    }
  };

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it too
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Search"
      onCancel={event => {
        event.preventDefault();
        end();
      }}
      // The backdrop is the dialog itself; everything in it is an element of its own.
      onClick={event => event.target === dialog.current && end()}
    >
      <div className="box">
        <input
          type="text"
          role="combobox"
          aria-label="Search everything"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={choices[at] && optionId(choices[at])}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Users, conversations, words, facts, pages …"
          value={typed}
          onChange={event => {
            setTyped(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKey}
        />
        <div id={list} role="listbox" aria-label="Found" className="options">
          {groups.map(group => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields, these are groups of options
            <div key={group.name} role="group" aria-label={group.name}>
              <p className="group" aria-hidden="true">
                {group.name}
              </p>
              {group.choices.map(choice => (
                <Option
                  key={choice.id}
                  choice={choice}
                  id={optionId(choice)}
                  isActive={choices[at] === choice}
                  onChoose={() => choose(choice)}
                  onPoint={() => setActive(choices.indexOf(choice))}
                />
              ))}
            </div>
          ))}
        </div>
        <p className="muted foot" role="status">
          {loading ? 'Searching …' : `${counted(choices.length, 'choice')}.`}
          {failed > 0 && ` ${counted(failed, 'list')} could not be searched.`}
        </p>
      </div>
    </dialog>
  );
};
