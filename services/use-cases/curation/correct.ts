import { ServiceError } from '../../../core/errors.ts';
import { TAKES_AWAY } from '../../../core/payers/till.ts';
import { readScope } from '../../../core/scope.ts';
import type { CappedContext, Principal } from '../../../core/use-cases.ts';
import { speakerLabel } from '../../../domain/extraction/speaker.ts';
import { attributeName } from '../../../domain/facts/attributes.ts';
import { saidFactOf } from '../../../domain/facts/stored-fact.ts';
import { type NewFragment, sourceTurnsOf } from '../../../domain/search/fragment.ts';
import { MOST_CORRECTIONS } from '../../../schemas/events/turns.ts';
import type { SaidFact, SaidObservation, Stance } from '../../../schemas/facts.ts';
import type { CorrectBody, StatedObservation } from '../../../schemas/http/curation.ts';
import { NEED_ATTRIBUTE } from '../../../schemas/http/parts/observation.ts';
import { parseInstant } from '../../../schemas/http/queries/instant.ts';
import { observationOf as itemOf } from '../lists/items.ts';
import { type CorrectionPorts, readCorrections } from '../lists/read-corrections.ts';
import { type FindPorts, findObservation, notFound, seen } from './find-observation.ts';
import { readSource, type SourcePorts } from './read-source.ts';
import type { makeRetract } from './retract.ts';
import { reworded } from './reworded.ts';
import { hiddenForGood, type makeState } from './say.ts';

export interface CorrectPorts extends FindPorts, CorrectionPorts, SourcePorts {
  state: ReturnType<typeof makeState>;
  hide: ReturnType<typeof makeRetract>['hide'];
}

/**
 * find → follow its corrections → read its metadata → state what it should say → look whether what it
 * corrects is still there. Nothing is changed: the correction is an observation of its own, which beats the
 * corrected one wherever the facts that hold are decided.
 */
export const makeCorrect = (ports: CorrectPorts) => {
  const { state } = ports;

  /** The observation with all of its corrections so far. */
  const latestOf = async (org: string, found: NewFragment): Promise<NewFragment> => {
    let latest = found;
    for (let followed = 0; followed < MOST_CORRECTIONS; followed++) {
      const { id, user, session, corrects } = latest;
      // When an observation has two corrections made at the same time, the last one counts.
      const ids = corrects ? [id, corrects.id] : [id];
      const next = (await readCorrections(ports, { org, user, session }, ids)).get(id);
      if (!next) return latest;
      latest = next;
    }
    throw correctedVeryOften();
  };

  return async (
    principal: Principal,
    id: string,
    body: CorrectBody,
    context: CappedContext,
  ): Promise<StatedObservation> => {
    // An id also names its session, so the credential's session is not the default here.
    const { org, user } = readScope(principal, {});
    const found = seen(principal, await findObservation(ports, { org, user }, id), 'observation');
    const latest = await latestOf(org, found);
    const said = corrected(latest, body);
    if (saysSame(said, saidIn(latest))) return { ...itemOf(latest), usage: { tokens_in: 0, tokens_out: 0 } };
    const { fact } = latest;
    // Every correction has the metadata of the observation that it corrects, so the latest one has that of
    // the first.
    const follows = followsOf(latest);
    const source = await readSource(ports, found);
    if (!source) throw notFound('observation');
    const { observation: stated } = await state(
      {
        ...said,
        scope: { org, user: latest.user, session: latest.session },
        apiKey: principal.keyId,
        role: latest.role,
        timestamp: latest.timestamp,
        metadata: source.metadata,
        // It has what it corrects in it, and goes with that.
        expiresAt: found.expiresAt,
        keptFrom: found.expiresAt === undefined ? source.keptFrom : undefined,
        within: { keyId: source.keyId, gone: () => notFound('observation') },
        corrects: {
          observation_id: latest.id,
          follows,
          ...(fact && { subject: fact.subject, attribute: fact.attribute }),
        },
      },
      context,
    );
    if (!stated) throw hiddenForGood();
    // Hidden meanwhile: whoever hid it has not seen this one, or hides it, too.
    if (!(await findObservation(ports, { org, user }, latest.id))) {
      const late = await findObservation(ports, { org, user }, stated.id);
      if (late) await ports.hide(org, late, { ...context, payer: TAKES_AWAY });
      throw notFound('observation');
    }
    return stated;
  };
};

/** The ids with which a correction of this observation is hidden. */
const followsOf = (latest: NewFragment): string[] => {
  const { follows = [] } = latest.corrects ?? {};
  if (follows.filter(isObservation).length >= MOST_CORRECTIONS) throw correctedVeryOften();
  return [latest.id, ...sourceTurnsOf(latest), ...follows];
};

const isObservation = (id: string): boolean => id.startsWith('obs_');

const correctedVeryOften = (): ServiceError =>
  new ServiceError('conflict', 'It was corrected very often: hide it, and say it anew.');

const saidIn = ({ text, fact, timestamp }: NewFragment): SaidObservation =>
  fact ? { text, fact: saidFactOf(fact, timestamp) } : { text };

const saysSame = (one: SaidObservation, other: SaidObservation): boolean =>
  one.text === other.text &&
  (['subject', 'attribute', 'about', 'value', 'stance', 'valid_from'] as const).every(
    name => one.fact?.[name] === other.fact?.[name],
  );

/** The observation's statement with these members corrected. Throws `invalid` where it contradicts itself. */
const corrected = (latest: NewFragment, body: CorrectBody): SaidObservation => {
  const known = saidIn(latest).fact;
  const attribute = body.attribute === undefined ? known?.attribute : attributeName(body.attribute);
  if (attribute === undefined) {
    const needing = NEED_ATTRIBUTE.filter(name => name !== 'ended' && body[name] !== undefined);
    if (needing.length > 0) throw invalid(needing.map(name => [name, 'needs an attribute']));
    return { text: body.text ?? latest.text };
  }
  const value = body.value ?? known?.value;
  if (value === undefined) throw invalid([['value', 'is missing: an attribute has a value']]);
  const subject = body.subject ?? known?.subject ?? speakerLabel(latest.role);
  const from = body.valid_from === undefined ? undefined : parseInstant(body.valid_from)!;
  const valid_from = from === undefined ? known?.valid_from : new Date(from).toISOString();
  const about = body.about ?? known?.about;
  const stance = body.stance ?? stanceFrom(latest, known?.stance, from);
  const fact: SaidFact = {
    ...known,
    subject,
    attribute,
    ...(about !== undefined && { about }),
    value,
    ...(valid_from !== undefined && { valid_from }),
    stance,
  };
  if (stance === undefined) delete fact.stance;
  if (body.text === undefined)
    return { text: known ? reworded(latest.text, known, fact) : latest.text, fact };
  const saysOther = known !== undefined && body.value === undefined && body.attribute === undefined;
  if (saysOther && !body.text.toLowerCase().includes(known.value.toLowerCase()))
    throw invalid([['value', `is missing: the new text does not have the old value of ${attribute}`]]);
  return { text: body.text, fact };
};

/** A beginning after the turn makes a plan, and a beginning before it makes none. */
const stanceFrom = (
  { timestamp }: NewFragment,
  stance: Stance | undefined,
  validFrom: number | undefined,
): Stance | undefined => {
  if (validFrom === undefined) return stance;
  if (validFrom > timestamp) return 'plan';
  return stance === 'plan' ? undefined : stance;
};

const invalid = (faults: readonly (readonly [name: string, message: string])[]): ServiceError =>
  new ServiceError('invalid', 'The request breaks a rule.', {
    details: {
      errors: faults.map(([name, message]) => ({ loc: ['body', name], type: 'incomplete', message })),
    },
  });
