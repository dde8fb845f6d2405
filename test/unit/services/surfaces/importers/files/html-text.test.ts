import { expect, it } from 'vitest';
import { htmlText } from '../../../../../../services/surfaces/importers/files/html-text.ts';

it.each([
  ['plain', 'plain'],
  ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
  ['<div>One</div><div>Two</div>', 'One\nTwo'],
  ['One<br>Two<br/>Three', 'One\nTwo\nThree'],
  ['  so   much\n  white ', 'so much white'],
  ['a &amp;amp; b &lt;c&gt; &eacute;&#233;&#xe9; &nosuch; &nbsp;end', 'a &amp; b <c> ééé &nosuch;  end'],
  ['<ul><li>bread</li><li>cheese</li></ul>', '- bread\n- cheese'],
  ['<table><tr><td>1</td><td>2</td></tr></table>', '1 2'],
  ['<head><title>no</title><style>p{}</style></head><script>x<y</script>yes', 'yes'],
  ['<!-- no --><!doctype html>yes<!-- unclosed', 'yes'],
  ['<pre>a\n  b</pre>', 'a\n  b'],
  [
    '<p>Mine</p><blockquote><p>Yours</p><blockquote>Older</blockquote></blockquote>',
    'Mine\n\n> Yours\n\n> > Older',
  ],
  ['1 < 2 and <b>3</b> > 2', '1 < 2 and 3 > 2'],
  ['<a href="https://x.example">words</a>', 'words'],
  ['&#0;&#99999999;', '&#0;&#99999999;'],
  ['<style>never closed', 'never closed'],
  ['', ''],
])('%j', (html, text) => {
  expect(htmlText(html).replace(/\n(?:> )*\n/g, '\n\n')).toBe(text.replace(/\n(?:> )*\n/g, '\n\n'));
});

it('writes no more than it reads for quotations without end', () => {
  expect(htmlText('<blockquote>x'.repeat(20_000)).length).toBeLessThan(20_000 * 40);
});
