/**
 * Most used passwords that a registration accepts if a letter is a capital, in lower case. Chosen, without curses,
 * from the first 2,000 of the 100,000 that the British NCSC and Troy Hunt published, as SecLists (MIT) has them:
 * Passwords/Common-Credentials/100k-most-used-passwords-NCSC.txt.
 */
export const mostUsedPasswords = `
password1 1q2w3e4r5t 1qaz2wsx myspace1 1q2w3e4r qwerty123 target123 1g2w3e4r zag12wsx gwerty123 1234qwer
iloveyou1 princess1 passer2009 abcd1234 football1 jordan23 12qwaszx 123456789a babygirl1 michael1 blink182
qwer1234 q1w2e3r4 iloveyou2 jessica1 q1w2e3r4t5y6 anthony1 baseball1 passw0rd trustno1 qwerty12 charlie1
asdf1234 superman1 sunshine1 1qazxsw2 password12 password2 hello123 brandon1 12345qwert q1w2e3r4t5
a123456789 matthew1 computer1 michelle1 william1 welcome1 zaq12wsx jasmine1 liverpool1 1qaz2wsx3edc
chicken1 butterfly1 qwerty12345 pokemon1 123qweasd chelsea1 chocolate1 1234567a america1 jennifer1
freedom1 1password 1234abcd myspace123 madison1 samantha1 elizabeth1 mustang1 diamond1 super123 whatever1
password123 spongebob1 1q2w3e4r5t6y a1b2c3d4 friends1 123456789q heather1 cowboys1 yankees1 patrick1
alexander1 raiders1 zxcvbnm1 a1234567 qqww1122 jackson1 qazwsx123 asdfghjkl1 newyork1 richard1 destiny1
slipknot1 monster1 spiderman1 blessed1 beautiful1 scooter1 12345678a brittany1 babyboy1 1a2b3c4d 123456abc
metallica1 cameron1 christian1 danielle1 samsung1 gangsta1 letmein1 qwerty123456 iloveyou12 qwerty1234
dolphin1 loveyou1 tiffany1 starwars1 123qwe123 playboy1 abc123456 password3 crystal1 poohbear1 jonathan1
nicholas1 angel123 rainbow1 shannon1 123qweasdzxc victoria1 pa55word steelers1 rockstar1 love4ever abcdefg1
thunder1 p@ssw0rd admin123 welcome123
`
  .trim()
  .split(/\s+/);
